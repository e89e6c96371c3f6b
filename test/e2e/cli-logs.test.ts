import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'cave-'));
  mkdirSync(join(home, 'logs'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('daemon logs -f gives new lines as they come, across a rotation, until it is interrupted', async () => {
  const file = join(home, 'logs', 'daemon.log');
  let second = 0;
  const add = (msg: string): void => {
    const time = new Date(Date.UTC(2026, 0, 1, 0, 0, second++)).toISOString();
    appendFileSync(file, `${JSON.stringify({ level: 30, time, msg })}\n`);
  };
  add('before');
  const child = spawn(process.execPath, [CLI, 'daemon', 'logs', '-f', '--json'], {
    env: { PATH: process.env['PATH'], CAVEMAN_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const { value } = await lines.next();
    return (JSON.parse(String(value)) as { msg: string }).msg;
  };
  expect(await next()).toBe('before');
  add('after');
  expect(await next()).toBe('after');
  renameSync(file, `${file}.1`);
  add('in the new file');
  expect(await next()).toBe('in the new file');
  child.kill('SIGINT');
  const [exit] = await once(child, 'exit');
  expect(exit).toBe(0);
});
