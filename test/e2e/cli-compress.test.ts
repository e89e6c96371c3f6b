import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CliResult, runCli, startDaemonOf } from '../helpers/cli.ts';

const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const sha256 = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');
const report = ({ stderr }: CliResult): Record<string, unknown> => {
  expect(stderr).toMatch(/^\{[^\n]+\}\n$/);
  return JSON.parse(stderr) as Record<string, unknown>;
};

let home = '';
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cave-'));
  await startDaemonOf(home);
});
afterAll(async () => {
  await runCli(['daemon', 'stop'], { home });
  rmSync(home, { recursive: true, force: true });
});

describe('compress', () => {
  it('gives the fixture its nine lines, the seed report, and its original back by handle', async () => {
    const input = fixture('build.log');
    const done = await runCli(['compress'], { home, input });
    expect(done.exit).toBe(0);
    expect(done.stdout.toString()).toBe(fixture('build.expected.txt').toString());
    const facts = report(done);
    expect(Object.keys(facts)).toEqual([
      'content_type',
      'tokens_before',
      'tokens_after',
      'ratio',
      'basis',
      'recovery_handle',
      'method',
      'sha256_input',
      'sha256_output',
    ]);
    expect(facts).toMatchObject({
      content_type: 'terminal',
      tokens_before: 3880,
      tokens_after: 109,
      ratio: 1 - 109 / 3880,
      basis: 'inferred',
      method: 'terminal',
      sha256_input: sha256(input),
      sha256_output: sha256(done.stdout),
    });
    expect(facts['recovery_handle']).toMatch(/^cv[0-9a-z]{8,}$/);
    const original = await runCli(['expand', String(facts['recovery_handle'])], { home });
    expect(original.stdout.equals(input)).toBe(true);
  });

  it('--no-archive needs no daemon and gives the same text without a handle', async () => {
    const done = await runCli(['compress', '--no-archive'], { home, input: fixture('build.log') });
    expect(done.stdout.toString()).toBe(fixture('build.expected.txt').toString());
    expect(report(done)['recovery_handle']).toBeNull();
  });

  it('--quiet says nothing on stderr', async () => {
    const done = await runCli(['compress', '--no-archive', '--quiet'], { home, input: fixture('build.log') });
    expect(done.stderr).toBe('');
  });

  it('changes nothing in a second pass', async () => {
    const input = fixture('build.expected.txt');
    const done = await runCli(['compress', '--no-archive'], { home, input });
    expect(done.stdout.equals(input)).toBe(true);
    expect(report(done)['reason']).toBeTruthy();
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['three short lines', Buffer.from('a\nb\nc\n')],
    ['no final newline', Buffer.from('just this')],
  ])('hands %s through unchanged, with the reason', async (_name, input) => {
    const done = await runCli(['compress'], { home, input });
    expect(done.exit).toBe(0);
    expect(done.stdout.equals(input)).toBe(true);
    const facts = report(done);
    expect(facts['reason']).toEqual(expect.stringMatching(/./));
    expect(facts).toMatchObject({ recovery_handle: null, method: 'literal', ratio: 0 });
  });

  it('takes input that is not UTF-8', async () => {
    const lines = Array.from({ length: 200 }, (_, i) => `\x1b[32mok\x1b[0m sector ${i} read in 3ms`).join(
      '\n',
    );
    const input = Buffer.concat([
      Buffer.from(lines),
      Buffer.from([10, 0xff, 0xfe, 10]),
      Buffer.from(`${lines}\n`),
    ]);
    const done = await runCli(['compress', '--no-archive'], { home, input });
    expect(done.stdout.length).toBeLessThan(input.length / 4);
    expect(report(done)).toMatchObject({ sha256_input: sha256(input), method: 'terminal' });
  });

  it('shows the original when the archive cannot be had', async () => {
    const blocked = join(home, 'a-file');
    writeFileSync(blocked, '');
    const input = fixture('build.log');
    const done = await runCli(['compress'], { home, input, env: { CAVEMAN_HOME: join(blocked, 'below') } });
    expect(done.exit).toBe(0);
    expect(done.stdout.equals(input)).toBe(true);
    expect(report(done)['reason']).toMatch(/^not archived: /);
  });

  it('labels counts of large input as estimated', async () => {
    const line = (i: number): string => `\x1b[32m✓\x1b[0m compiled src/routes/route_${i}.tsx in 12ms\n`;
    const input = Buffer.from(Array.from({ length: 8000 }, (_, i) => line(i)).join(''));
    const done = await runCli(['compress', '--no-archive'], { home, input });
    expect(report(done)['basis']).toBe('estimated');
  });
});
