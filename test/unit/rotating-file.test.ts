import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RotatingFile } from '../../src/runtime/rotating-file.ts';

describe('rotating file', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'caveman-log-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('keeps the newest lines in files of bounded size and number, all of them private', () => {
    const path = join(directory, 'x.log');
    const file = new RotatingFile(path, 100, 3);
    for (let i = 0; i < 100; i++) file.write(`line ${String(i).padStart(4, '0')}\n`);
    file.end();
    expect(readdirSync(directory).sort()).toEqual(['x.log', 'x.log.1', 'x.log.2', 'x.log.3']);
    for (const name of readdirSync(directory)) {
      const at = statSync(join(directory, name));
      expect(at.size).toBeLessThanOrEqual(100);
      expect(at.mode & 0o777).toBe(0o600);
    }
    const text = ['.3', '.2', '.1', ''].map((end) => readFileSync(path + end, 'utf8')).join('');
    const lines = text.trim().split('\n');
    expect(lines.at(-1)).toBe('line 0099');
    expect(lines).toEqual(lines.toSorted());
    expect(lines.length).toBeGreaterThan(30);
  });

  it('loses no line when two processes write one file', () => {
    const path = join(directory, 'x.log');
    const [one, two] = [new RotatingFile(path, 400, 3), new RotatingFile(path, 400, 3)];
    for (let i = 0; i < 20; i++) (i % 2 ? one : two).write(`line ${String(i).padStart(4, '0')}\n`);
    one.end();
    two.end();
    const lines = readdirSync(directory).flatMap((name) =>
      readFileSync(join(directory, name), 'utf8').trim().split('\n'),
    );
    expect(new Set(lines).size).toBe(20);
  });

  it('starts a new file for one line that is longer than the bound', () => {
    const path = join(directory, 'x.log');
    const file = new RotatingFile(path, 10, 3);
    file.write(`${'a'.repeat(50)}\n`);
    file.write('b\n');
    file.end();
    expect(readFileSync(path, 'utf8')).toBe('b\n');
  });
});
