import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Home, ROOT, startHome } from '../helpers/home.ts';
import { undone } from './undo.ts';

export const LAUNCHER = join(ROOT, 'shell', 'caveman');
const STORED_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 20;

/** A daemon in a temporary CAVEMAN_HOME for the length of `use`. */
export async function withHome<T>(use: (home: Home) => Promise<T>): Promise<T> {
  const home = await startHome();
  return undone(home.stop, () => use(home));
}

/** Resolves when everything that was captured is in the archive: only then is the daemon idle. */
export async function archived(home: Home): Promise<void> {
  for (const from = performance.now(); readdirSync(join(home.dir, 'spool')).length > 0; ) {
    if (performance.now() - from > STORED_WITHIN_MS) throw new Error('the spool is not taken in');
    await pause(LOOK_EVERY_MS);
  }
}

/** Captures that the daemon has served since it started. */
export function served(home: Home): number {
  const done = spawnSync(LAUNCHER, ['status', '--json'], { env: { ...home.env, CAVEMAN: 'off' } });
  return JSON.parse(done.stdout.toString()).daemon.servedCaptures;
}

/** Anonymous resident memory of a process in MiB; 0 when it has gone. */
export function anonMiB(pid: number): number {
  try {
    const line = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
    return Number(line?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** What one program printed on stdout, and when, in ms from its start. */
export interface Streamed {
  firstByteMs: number;
  totalMs: number;
  bytes: number;
  /** The last `KEPT_BYTES` of stdout. */
  end: string;
  stderr: string;
  status: number | null;
}

const KEPT_BYTES = 64 * 1024;
const RUN_WITHIN_MS = 120_000;

/** Runs a program whose output is read as it comes and, but for its end, not kept. */
export function streamed(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<Streamed> {
  const [file, ...args] = argv;
  const from = performance.now();
  const child = spawn(file!, args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    timeout: RUN_WITHIN_MS,
  });
  const done: Streamed = { firstByteMs: Number.NaN, totalMs: 0, bytes: 0, end: '', stderr: '', status: null };
  let end: Buffer = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (done.bytes === 0) done.firstByteMs = performance.now() - from;
    done.bytes += chunk.length;
    end = chunk.length >= KEPT_BYTES ? chunk : Buffer.concat([end, chunk]).subarray(-KEPT_BYTES);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    done.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      resolve({ ...done, totalMs: performance.now() - from, end: end.toString(), status });
    });
  });
}

/** The handle that a footer names. */
export function handleIn(text: string): string {
  const found = /expand (cv[0-9a-z]{8,})\b[^\n]*\]\s*$/.exec(text);
  if (!found) throw new Error(`no footer: ${text.slice(-300)}`);
  return found[1]!;
}
