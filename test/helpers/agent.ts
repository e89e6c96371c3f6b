import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { ReadStream } from 'node:tty';
import { loadPtyPackage } from '../../src/pty/package.ts';

/** What agents give a command as stdout: Node's default, a shell's, a file that is read after the exit, a terminal. */
export const STDOUT_KINDS = ['socketpair', 'pipe', 'file', 'pty'] as const;
export type StdoutKind = (typeof STDOUT_KINDS)[number];

export interface Ran {
  out: Buffer;
  /** Empty when stderr went where stdout went. */
  err: Buffer;
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface RunOptions {
  env: NodeJS.ProcessEnv;
  cwd?: string;
  stdout?: StdoutKind;
  /** Whether 1 and 2 are one file; a PTY always is. */
  merged?: boolean;
  /** Bytes on a pipe, or nothing: /dev/null. */
  stdin?: string | Buffer;
  onSpawn?: (child: ChildProcess) => void;
}

/** Runs a command as an agent does: detached, no terminal of its own, stdin /dev/null; waits for its exit and output. */
export async function runAsAgent(argv: string[], options: RunOptions): Promise<Ran> {
  const kind = options.stdout ?? 'socketpair';
  const merged = kind === 'pty' || (options.merged ?? true);
  // Node gives 1 and 2 a socketpair each; `exec` in a shell makes them one without another process.
  const [file, ...args] =
    merged && kind === 'socketpair' ? ['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...argv] : argv;
  const sink = openSink(kind);
  try {
    const child = spawn(file!, args, {
      env: options.env,
      cwd: options.cwd ?? '/',
      detached: true,
      stdio: [
        kind === 'pty' ? sink.fd! : options.stdin === undefined ? 'ignore' : 'pipe',
        sink.fd ?? 'pipe',
        merged && sink.fd !== null ? sink.fd : 'pipe',
      ],
    });
    options.onSpawn?.(child);
    child.stdin?.on('error', () => {});
    if (options.stdin !== undefined) child.stdin?.end(options.stdin);
    const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    const out = sink.collect(child);
    const err = child.stderr ? drain(child.stderr) : Promise.resolve(Buffer.alloc(0));
    const [code, signal] = await exited;
    sink.ended();
    return { out: await out, err: await err, code, signal };
  } finally {
    sink.dispose();
  }
}

function drain(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  return new Promise((resolve) => {
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A terminal ends with an error, once nobody has its other end open.
    for (const event of ['end', 'error', 'close']) stream.once(event, () => resolve(Buffer.concat(chunks)));
  });
}

interface Sink {
  /** Null: Node's own pipe. */
  fd: number | null;
  collect(child: ChildProcess): Promise<Buffer>;
  /** The command has ended. */
  ended(): void;
  dispose(): void;
}

function openSink(kind: StdoutKind): Sink {
  const nothing = () => {};
  if (kind === 'socketpair') {
    return { fd: null, collect: (child) => drain(child.stdout!), ended: nothing, dispose: nothing };
  }
  const dir = mkdtempSync('/tmp/cvs-');
  const dispose = () => rmSync(dir, { recursive: true, force: true });
  if (kind === 'file') return fileSink(join(dir, 'out'), dispose);
  if (kind === 'pipe') return pipeSink(join(dir, 'pipe'), dispose);
  dispose();
  return ptySink();
}

function fileSink(path: string, dispose: () => void): Sink {
  const fd = openSync(path, 'w');
  let read: (bytes: Buffer) => void = () => {};
  return {
    fd,
    collect: () => {
      closeSync(fd);
      return new Promise((resolve) => {
        read = resolve;
      });
    },
    ended: () => read(readFileSync(path)),
    dispose,
  };
}

/** A FIFO is what pipe(2) gives, with a name. */
function pipeSink(path: string, dispose: () => void): Sink {
  execFileSync('mkfifo', [path]);
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const fd = openSync(path, 'w');
  return {
    fd,
    collect: () => {
      const socket = new Socket({ fd: readFd, readable: true, writable: false });
      const bytes = drain(socket);
      closeSync(fd);
      return bytes;
    },
    ended: () => {},
    dispose,
  };
}

/** A terminal as an agent's own PTY library makes it: LF comes out as CR LF. */
function ptySink(): Sink {
  const pair = loadPtyPackage().open(100, 30);
  return {
    fd: pair.slave,
    collect: () => {
      const bytes = drain(new ReadStream(pair.master));
      closeSync(pair.slave);
      return bytes;
    },
    ended: () => {},
    dispose: () => {},
  };
}

/** Text of a terminal's output as a pipe would have it. */
export function untranslated(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\r\n', '\n');
}
