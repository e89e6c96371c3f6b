import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastLogLines } from '../../src/cli/logs.ts';
import { plainPaint } from '../../src/cli/render/paint.ts';

let home = '';
const before = process.env['CAVEMAN_HOME'];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cave-'));
  mkdirSync(join(home, 'logs'));
  process.env['CAVEMAN_HOME'] = home;
});
afterEach(() => {
  rmSync(home, { recursive: true });
  if (before === undefined) delete process.env['CAVEMAN_HOME'];
  else process.env['CAVEMAN_HOME'] = before;
});

const line = (second: number, msg: string, level = 30): string =>
  `${JSON.stringify({ level, time: `2026-01-02T03:04:0${second}.000Z`, pid: 7, msg, path: '/x' })}\n`;

describe('lastLogLines', () => {
  it('puts both logs in order of time, and leaves a half-written line for later', () => {
    writeFileSync(join(home, 'logs', 'daemon.log'), line(1, 'one') + line(3, 'three', 50));
    writeFileSync(join(home, 'logs', 'worker.log'), line(2, 'two') + line(4, 'four').slice(0, 20));
    const { lines } = lastLogLines(10);
    expect(lines.map((entry) => entry.render(plainPaint))).toEqual([
      '2026-01-02 03:04:01.000  info   daemon  one path=/x',
      '2026-01-02 03:04:02.000  info   worker  two path=/x',
      '2026-01-02 03:04:03.000  error  daemon  three path=/x',
    ]);
    expect(lastLogLines(1).lines.map(({ json }) => `${json}\n`)).toEqual([line(3, 'three', 50)]);
  });

  it('shows a line that is not JSON as it is, controls made visible', () => {
    writeFileSync(join(home, 'logs', 'daemon.log'), 'garbage \x1b[2J\n');
    expect(lastLogLines(5).lines.map((entry) => entry.render(plainPaint))).toEqual(['garbage \\x1b[2J']);
  });

  it('is empty without logs', () => {
    rmSync(join(home, 'logs'), { recursive: true });
    expect(lastLogLines(5).lines).toEqual([]);
  });
});
