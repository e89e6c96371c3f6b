import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');

/** A CAVEMAN_HOME of its own, with a real daemon in it. */
export interface Home {
  dir: string;
  daemon: ChildProcess;
  /** What an agent's shell gets from the start-up files, over an environment without anything of ours. */
  env: NodeJS.ProcessEnv;
  /** Pid of the worker, from the process tree. */
  workerPid(): number;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Environment without markers, guards and BASH_ENV of whoever runs the tests. */
export function bareEnv(): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: '/nonexistent', LANG: 'C.UTF-8' };
  return env;
}

export async function startHome(extra: NodeJS.ProcessEnv = {}): Promise<Home> {
  const dir = mkdtempSync('/tmp/cvt-');
  writeFileSync(
    join(dir, '.zshenv'),
    `if [ -r '${ROOT}/shell/env.zsh' ]; then . '${ROOT}/shell/env.zsh'; fi\n`,
  );
  const env = hookedEnv(dir);
  const home: Home = {
    dir,
    env,
    daemon: await startDaemon(dir, extra),
    workerPid: () => workerOf(home.daemon.pid!),
    restart: async () => {
      await stopDaemon(home.daemon);
      home.daemon = await startDaemon(dir, extra);
    },
    stop: async () => {
      await stopDaemon(home.daemon);
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return home;
}

/** What the start-up files give an agent's shells; no daemon is started. */
export function hookedEnv(dir: string): NodeJS.ProcessEnv {
  return {
    ...bareEnv(),
    CAVEMAN_HOME: dir,
    CAVEMAN_AGENT: '1',
    BASH_ENV: join(ROOT, 'shell', 'env.bash'),
    ZDOTDIR: dir,
  };
}

export async function startDaemon(dir: string, extra: NodeJS.ProcessEnv = {}): Promise<ChildProcess> {
  const child = fork(join(ROOT, 'dist', 'daemon.js'), [], {
    env: { ...bareEnv(), CAVEMAN_HOME: dir, ...extra },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    detached: true,
    cwd: '/',
  });
  let said = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const early = once(child, 'exit').then(([code]) => {
    throw new Error(`the daemon ended with ${code}: ${said} ${loadavg()}`);
  });
  early.catch(() => {});
  await Promise.race([once(child, 'message'), early]);
  return child;
}

async function stopDaemon(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGCONT');
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function workerOf(daemonPid: number): number {
  const children = readFileSync(`/proc/${daemonPid}/task/${daemonPid}/children`, 'utf8').trim().split(' ');
  for (const pid of children) {
    if (readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('worker.js')) return Number(pid);
  }
  throw new Error(`no worker among ${children.join(' ')}`);
}
