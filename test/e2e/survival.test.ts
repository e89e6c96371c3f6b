import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { bytesOf, capturesOnce, chatter, clientOf } from '../helpers/archived.ts';
import { runCli } from '../helpers/cli.ts';
import { type Home, hookedEnv, startHome } from '../helpers/home.ts';

const SHELLS = ['bash', 'zsh'];
const MODES = ['pty', 'pipe'];
const LINES = 300;

let home: Home;
let scratch: string;
beforeEach(async () => {
  home = await startHome();
  scratch = mkdtempSync('/tmp/cvv-');
});
afterEach(async () => {
  // A daemon that a test let `caveman list` start.
  await runCli(['daemon', 'stop'], { home: home.dir });
  rmSync(scratch, { recursive: true, force: true });
  await home.stop();
});

/** A FIFO at which commands wait, open at both ends here; and how to wait for its reader. */
function gate(name: string): { path: string; open(): void; close(): void } {
  const path = join(scratch, name);
  execFileSync('mkfifo', [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  return { path, open: () => void writeSync(fd, 'go\n'), close: () => closeSync(fd) };
}

/** Resolves to the line that a command writes into the FIFO. */
async function told(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}

const first = chatter('before', LINES);
const second = chatter('after', LINES);
/** Prints on both streams before and after the gate, leaves a server behind, and ends with 7. */
function script(here: string, ready: string): string {
  const loop = (tag: string) =>
    `for ((i = 0; i < ${LINES}; i++)); do echo "${tag} step $i compiled without a word"; done`;
  return `${loop('before')}; echo warn1 >&2; sleep 1000 2>/dev/null & echo $! >${ready}; read -r _ <${here}; ${loop('after')}; echo warn2 >&2; exit 7`;
}
describe.each(SHELLS)('%s', (shell) => {
  test('no daemon at all: the original, and nothing else on either stream', async () => {
    const env = { ...hookedEnv(scratch), ZDOTDIR: home.dir };
    const ran = await runAsAgent([shell, '-c', 'seq 500; echo oops >&2; exit 9'], { env, merged: false });
    expect(ran.out.toString()).toBe(Array.from({ length: 500 }, (_, i) => `${i + 1}\n`).join(''));
    expect(ran.err.toString()).toBe('oops\n');
    expect(ran.code).toBe(9);
  });

  test.each(MODES)(
    'daemon killed under a command on a %s: all its output, its status, its server',
    async (mode) => {
      const here = gate('here');
      const ready = join(scratch, 'ready');
      execFileSync('mkfifo', [ready]);
      const running = runAsAgent([shell, '-c', script(here.path, ready)], {
        env: { ...home.env, CAVEMAN_MODE: mode },
        merged: false,
        stdout: 'file',
      });
      const server = Number(await told(ready));
      home.daemon.kill('SIGKILL');
      await once(home.daemon, 'exit');
      here.open();
      try {
        const ended = await running;
        expect(ended.out.toString()).toBe(first + second);
        expect(ended.err.toString()).toBe('warn1\nwarn2\n');
        expect(ended.code).toBe(7);
        process.kill(server, 0);
      } finally {
        process.kill(server, 'SIGKILL');
        here.close();
      }
      // The next verb starts a daemon, which takes in what the dead one had spooled.
      const list = await runCli(['list', '--json'], { home: home.dir });
      expect(list.exit, list.stderr).toBe(0);
      const client = await clientOf(home.dir);
      const [capture] = await capturesOnce(client, (all) => all.length === 1);
      expect(capture!.flags).toContain('killed');
      expect((await bytesOf(client, capture!.handle)).toString()).toBe(first);
      await client.close();
    },
  );

  test('a stopped daemon before the request: the command runs untouched', async () => {
    home.daemon.kill('SIGSTOP');
    const ran = await runAsAgent([shell, '-c', 'seq 500; exit 3'], { env: home.env });
    expect(ran.out.toString()).toBe(Array.from({ length: 500 }, (_, i) => `${i + 1}\n`).join(''));
    expect(ran.code).toBe(3);
    home.daemon.kill('SIGCONT');
    const client = await clientOf(home.dir);
    expect((await client.request('list', {})).captures).toHaveLength(0);
    await client.close();
  });

  test.each(MODES)('a daemon stopped when a command on a %s ends: its output, once', async (mode) => {
    const here = gate('here');
    const ready = join(scratch, 'ready');
    execFileSync('mkfifo', [ready]);
    const text = script(here.path, ready).replace('sleep 1000 2>/dev/null & echo $!', 'echo $$');
    const running = runAsAgent([shell, '-c', text], {
      env: { ...home.env, CAVEMAN_MODE: mode },
      merged: false,
    });
    await told(ready);
    home.daemon.kill('SIGSTOP');
    here.open();
    const ran = await running;
    expect(ran.out.toString()).toBe(first + second);
    expect(ran.err.toString()).toBe('warn1\nwarn2\n');
    expect(ran.code).toBe(7);
    // Back again it serves the next one.
    home.daemon.kill('SIGCONT');
    const client = await clientOf(home.dir);
    await capturesOnce(client, (all) => all.length === 1);
    await client.close();
    here.close();
    expect(readFileSync(`/proc/${home.daemon.pid}/stat`, 'utf8')).toBeTruthy();
  });
});
