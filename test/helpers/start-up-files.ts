import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the clone under test. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** A temporary directory for the length of `use`; short, because Unix sockets may lie in it. */
export async function withDirectory<T>(use: (dir: string) => T | Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'cvi-'));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** An environment without the caller's shell settings, agents' marks and XDG directories. */
export function plainEnvironment(home: string, extra: Record<string, string> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', TMPDIR: tmpdir(), ...extra };
}

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end; `uid` runs it as another user (root only). */
export function ran(
  argv: string[],
  env: NodeJS.ProcessEnv,
  options: { cwd?: string; uid?: number } = {},
): Ran {
  const { uid, cwd } = options;
  const whole =
    uid === undefined ? argv : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', ...argv];
  const done = spawnSync(whole[0]!, whole.slice(1), {
    env,
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (done.error) throw done.error;
  return { status: done.status, stdout: done.stdout, stderr: done.stderr };
}

/**
 * Calls a function of `shell/rc-block.sh` under `sh -eu`, as install.sh does. `dir/home` is the home and
 * `dir/work` the private directory; both must exist. The product it names is `dir/product`.
 */
export function rcBlock(dir: string, call: string, args: string[], uid?: number): Ran {
  const script = `product=$1 work=$2; shift 2; . '${root}/shell/rc-block.sh'; ${call} "$@"`;
  return ran(
    ['sh', '-euc', script, 'sh', join(dir, 'product'), join(dir, 'work'), ...args],
    plainEnvironment(join(dir, 'home')),
    uid === undefined ? {} : { uid },
  );
}
