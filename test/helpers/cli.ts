import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CliResult {
  exit: number | null;
  signal: string | null;
  stdout: Buffer;
  stderr: string;
}

/** Runs the built CLI as a program of its own, with `input` on its stdin, and resolves when it has ended. */
export function runCli(
  args: readonly string[],
  options: { home: string; input?: Uint8Array | string; cwd?: string; env?: NodeJS.ProcessEnv },
): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd ?? options.home,
    env: { PATH: process.env['PATH'], HOME: options.home, CAVEMAN_HOME: options.home, ...options.env },
    stdio: 'pipe',
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A verb that reads no stdin may have ended before all of it was written.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit, signal) => {
      resolve({
        exit,
        signal,
        stdout: Buffer.concat(stdout),
        stderr: Buffer.concat(stderr).toString('utf8'),
      });
    });
  });
}

const START_ATTEMPTS = 10;

/** Starts the daemon of `home`; on a machine under load one start may give up before the daemon is there. */
export async function startDaemonOf(home: string): Promise<void> {
  let last: CliResult | null = null;
  for (let attempt = 0; attempt < START_ATTEMPTS; attempt++) {
    last = await runCli(['daemon', 'start'], { home });
    if (last.exit === 0) return;
  }
  throw new Error(`no daemon: ${last?.stderr}`);
}
