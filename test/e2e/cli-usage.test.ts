import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { VERBS } from '../../src/cli/verbs.ts';
import { runCli } from '../helpers/cli.ts';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'cave-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('caveman, told too little or wrong', () => {
  it('lists every verb, in order, with what it does', async () => {
    const { exit, stdout, stderr } = await runCli(['--help'], { home });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const listed = VERBS.map(({ name, summary }) => [stdout.indexOf(`\n  ${name}`), stdout.indexOf(summary)]);
    expect(listed.flat()).not.toContain(-1);
    expect(listed.map(([at]) => at)).toEqual(listed.map(([at]) => at).toSorted((a = 0, b = 0) => a - b));
  });

  it.each(VERBS.map(({ name }) => name))('%s --help ends with an example that names it', async (name) => {
    const { exit, stdout } = await runCli([name, '--help'], { home });
    expect(exit).toBe(0);
    expect(stdout.toString()).toMatch(new RegExp(`Example:\\n.*caveman ${name}`));
  });

  it.each([
    [['lst'], /unknown verb 'lst' \(did you mean list\?\)/],
    [['list', '--limt', '3'], /unknown option '--limt' \(did you mean --limit\?\); see: caveman list --help/],
    [['list', '--limit', 'x'], /--limit <n>': not 'x': a whole number from 1/],
    [['show'], /missing required argument 'handle'/],
    [['daemon', 'strt'], /'strt' is no action: start, stop, restart, status, logs/],
    [['run'], /which command\?/],
    [['expand'], /which handle\?/],
    [['expand', 'cv7k3m2q4', '--lines', '9'], /--lines takes A:B/],
    [['expand', 'cv7k3m2q4', '-o', '/'], /\/ is a directory/],
    [['compress', '--type', 'poem'], /--type <type>': not 'poem': terminal/],
    [['compress', '--exit', '300'], /an exit status is 0 to 255/],
  ])('%j: one line, exit 2, nothing on stdout', async (args, line) => {
    const { exit, stdout, stderr } = await runCli(args, { home });
    expect(stderr).toMatch(/^caveman: [^\n]+\n$/);
    expect(stderr).toMatch(line);
    expect({ exit, stdout: stdout.toString() }).toEqual({ exit: 2, stdout: '' });
  });

  it('without a verb: the help, and exit 2', async () => {
    const { exit, stdout } = await runCli([], { home });
    expect(exit).toBe(2);
    expect(stdout.toString()).toMatch(/^Usage: caveman/);
  });

  it('status and daemon status say that nothing runs, start nothing, and exit 1', async () => {
    const status = await runCli(['status'], { home });
    expect(status.stdout.toString()).toMatch(/^daemon +not running; start it: caveman daemon start\n$/);
    const daemon = await runCli(['daemon', 'status', '--json'], { home });
    expect(JSON.parse(daemon.stdout.toString())).toMatchObject({ daemon: 'down' });
    expect([status.exit, daemon.exit]).toEqual([1, 1]);
    const stop = await runCli(['daemon', 'stop'], { home });
    expect({ exit: stop.exit, said: stop.stdout.toString() }).toEqual({
      exit: 0,
      said: 'the daemon was not running\n',
    });
  });

  it('expand gives the answer that the launcher already has where the daemon cannot be reached', async () => {
    const env = { CAVEMAN_EXPAND_ERROR: 'no capture has the handle cv00000000' };
    const { exit, stdout, stderr } = await runCli(['expand', 'cv00000000'], { home, env });
    expect(stderr).toBe('caveman: no capture has the handle cv00000000\n');
    expect({ exit, said: stdout.length }).toEqual({ exit: 1, said: 0 });
  });

  it('detect tells terminal from text', async () => {
    const ask = async (input: string) => (await runCli(['detect'], { home, input })).stdout.toString();
    expect(await ask('a\x1b[1mb')).toBe('terminal\n');
    expect(await ask('1\r2\r3\r4\n')).toBe('terminal\n');
    expect(await ask('a\r\nb\r\nc\r\nd\r\n')).toBe('text\n');
    expect(await ask('')).toBe('text\n');
  });
});
