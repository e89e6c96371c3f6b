import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, runCli, startDaemonOf } from '../helpers/cli.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const log = Array.from({ length: 300 }, (_, i) => `\x1b[32mok\x1b[0m step ${i + 1} done`);
log[120] = 'ERROR step 121 failed: disk full';
const INPUT = Buffer.from(`${log.join('\n')}\n`);

let home = '';
let handle = '';
const cli = (...args: string[]): Promise<CliResult> => runCli(args, { home });

/** Archives `input` through `compress` and gives the handle. */
async function archived(input: Uint8Array, command: string): Promise<string> {
  const done = await runCli(['compress', '--command', command, '--exit', '1'], { home, input });
  return String((JSON.parse(done.stderr) as Record<string, unknown>)['recovery_handle']);
}

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cave-'));
  await startDaemonOf(home);
  handle = await archived(INPUT, 'deploy --token hunter2-S3cr3t --all');
  expect(handle).toMatch(/^cv[0-9a-z]{8,}$/);
});
afterAll(async () => {
  await cli('daemon', 'stop');
  rmSync(home, { recursive: true, force: true });
});

describe('expand', () => {
  it('is byte for byte on a pipe, by handle, by prefix, in any case', async () => {
    for (const name of [handle, handle.slice(0, 7), handle.toUpperCase()]) {
      const { exit, stdout, stderr } = await cli('expand', name);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      expect(stdout.equals(INPUT)).toBe(true);
    }
  });

  it('gives parts of the cleaned text', async () => {
    const text = async (...args: string[]) => (await cli('expand', handle, ...args)).stdout.toString();
    expect(await text('--lines', '2:3')).toBe('ok step 2 done\nok step 3 done\n');
    expect(await text('--head', '1')).toBe('ok step 1 done\n');
    expect(await text('--tail', '1')).toBe('ok step 300 done\n');
    expect(await text('--grep', 'disk full', '-C', '1')).toContain('ok step 120 done\nERROR step 121');
  });

  it('-o writes a private file, and only when all is there', async () => {
    const file = join(home, 'out.bin');
    const { exit, stdout } = await cli('expand', handle, '-o', file);
    expect({ exit, said: stdout.toString() }).toEqual({ exit: 0, said: '' });
    expect(readFileSync(file).equals(INPUT)).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const missing = join(home, 'missing.bin');
    expect((await cli('expand', 'cv00000000', '-o', missing)).exit).toBe(1);
    expect(existsSync(missing)).toBe(false);
  });

  it('--json holds the bytes', async () => {
    const { stdout } = await cli('expand', handle, '--json');
    expect(JSON.parse(stdout.toString())).toMatchObject({
      handle,
      bytes: INPUT.length,
      encoding: 'utf8',
      data: INPUT.toString(),
    });
  });

  it('ends quietly when its reader has gone', async () => {
    const big = Buffer.from(Array.from({ length: 200_000 }, (_, i) => `line ${i} is here\n`).join(''));
    const large = await archived(big, 'seq');
    const child = spawn(
      'bash',
      ['-c', '"$0" "$1" expand "$2" | head -n 1; echo "$PIPESTATUS"', process.execPath, CLI, large],
      {
        env: { PATH: process.env['PATH'], CAVEMAN_HOME: home },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
    });
    await new Promise((resolve) => child.on('close', resolve));
    expect({ out, err }).toEqual({ out: 'line 0 is here\n141\n', err: '' });
  });

  it.each([
    ['cv00000000', /cv00000000/],
    ['nonsense', /nonsense/],
  ])('%s: nothing on stdout, one line, exit 1', async (name, line) => {
    const { exit, stdout, stderr } = await cli('expand', name);
    expect({ exit, said: stdout.length }).toEqual({ exit: 1, said: 0 });
    expect(stderr).toMatch(/^caveman: [^\n]+\n$/);
    expect(stderr).toMatch(line);
  });

  it('names the handle that was meant', async () => {
    const last = handle.at(-1) === '0' ? '1' : '0';
    const { stderr } = await cli('expand', handle.slice(0, -1) + last);
    expect(stderr).toContain(handle);
  });
});

describe('list, show, pin, forget, gc, status', () => {
  it('show the capture without its secrets', async () => {
    const list = await cli('list', '--json');
    const rows = JSON.parse(list.stdout.toString()) as Record<string, unknown>[];
    expect(rows.find((row) => row['handle'] === handle)).toMatchObject({
      command: 'deploy --token *** --all',
      exit: 1,
      bytes: INPUT.length,
    });
    for (const args of [['list'], ['show', handle], ['show', handle, '--json']]) {
      const { exit, stdout } = await cli(...args);
      expect(exit).toBe(0);
      expect(stdout.toString()).toContain('deploy --token *** --all');
      expect(stdout.toString()).not.toContain('hunter2');
    }
  });

  it('pin and unpin', async () => {
    const pinned = async () => {
      const { stdout } = await cli('show', handle, '--json');
      return (JSON.parse(stdout.toString()) as { captures: { pinned: boolean }[] }).captures[0]?.pinned;
    };
    expect((await cli('pin', handle)).exit).toBe(0);
    expect(await pinned()).toBe(true);
    expect((await cli('pin', '--off', handle)).exit).toBe(0);
    expect(await pinned()).toBe(false);
  });

  it('forget removes for good, and says so afterwards', async () => {
    const gone = await archived(Buffer.from(`${INPUT}one more\n`), 'x');
    const { exit, stdout } = await cli('forget', gone, '--json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout.toString())).toMatchObject({ handle: gone, captures: 1 });
    const after = await cli('expand', gone);
    expect({ exit: after.exit, bytes: after.stdout.length }).toEqual({ exit: 1, bytes: 0 });
    expect((await cli('gc', '--json')).exit).toBe(0);
    expect((await cli('expand', handle)).stdout.equals(INPUT)).toBe(true);
  });

  it('status knows the daemon and the archive', async () => {
    const { exit, stdout } = await cli('status', '--json');
    expect(exit).toBe(0);
    const status = JSON.parse(stdout.toString()) as { daemon: { pid: number }; archive: { handles: number } };
    expect(process.kill(status.daemon.pid, 0)).toBe(true);
    expect(status.archive.handles).toBeGreaterThanOrEqual(1);
    expect((await cli('status')).stdout.toString()).toMatch(/^daemon +running, pid \d+/);
  });
});

describe('daemon', () => {
  it('restart gives a new process and keeps the archive; start twice is no fault; logs are shown', async () => {
    const pid = async (): Promise<number> => {
      const { stdout } = await cli('status', '--json');
      return (JSON.parse(stdout.toString()) as { daemon: { pid: number } }).daemon.pid;
    };
    const before = await pid();
    await cli('daemon', 'restart');
    await startDaemonOf(home);
    expect(await pid()).not.toBe(before);
    const again = await cli('daemon', 'start', '--json');
    expect(JSON.parse(again.stdout.toString())).toEqual({ daemon: 'already-up' });
    expect((await cli('expand', handle)).stdout.equals(INPUT)).toBe(true);
    const logs = await cli('daemon', 'logs', '-n', '3', '--json');
    const lines = logs.stdout.toString().trimEnd().split('\n');
    expect(lines.length).toBe(3);
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty('time');
  });
});
