import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '../helpers/cli.ts';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'cave-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('run, where nothing can be captured', () => {
  it('gives the command its stdin, and the caller its bytes and status', async () => {
    const input = Buffer.from([0, 1, 0xff, 10, 13]);
    const { exit, stdout, stderr } = await runCli(['run', '--', 'sh', '-c', 'cat; echo err >&2; exit 7'], {
      home,
      input,
    });
    expect({ exit, stderr }).toEqual({ exit: 7, stderr: 'err\n' });
    expect(stdout).toEqual(input);
  });

  it('leaves the command its own options, with -- or without', async () => {
    const { stdout } = await runCli(['run', 'printf', '%s|', '--json', '--', '-c'], { home });
    expect(stdout.toString()).toBe('--json|--|-c|');
  });

  it('runs a string with -c, also as shrink', async () => {
    const { exit, stdout } = await runCli(['shrink', '-c', 'echo "$0 $1"; exit 3', 'zero', 'one'], { home });
    expect({ exit, said: stdout.toString() }).toEqual({ exit: 3, said: 'zero one\n' });
  });

  it('reports death by signal as 128+n', async () => {
    const { exit } = await runCli(['run', '--', 'sh', '-c', 'kill -9 $$'], { home });
    expect(exit).toBe(137);
  });

  it('answers 127 for a command that is not there, 126 for one that may not run', async () => {
    const missing = await runCli(['run', 'no-such-command-here'], { home });
    expect(missing.exit).toBe(127);
    expect(missing.stderr).toBe('caveman: no-such-command-here: command not found\n');
    writeFileSync(join(home, 'plain'), 'x', { mode: 0o644 });
    const plain = await runCli(['run', './plain'], { home });
    expect(plain.exit).toBe(126);
    expect(plain.stderr).toBe('caveman: ./plain: permission denied\n');
  });
});
