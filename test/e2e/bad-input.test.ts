import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { bytesOf, capturesOnce, clientOf } from '../helpers/archived.ts';
import { type CliResult, runCli } from '../helpers/cli.ts';
import { bareEnv, type Home, ROOT, startHome } from '../helpers/home.ts';

const MIB = 1024 * 1024;
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let home: Home;
let scratch: string;
beforeAll(async () => {
  home = await startHome();
  scratch = mkdtempSync('/tmp/cvb-');
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await home.stop();
});

/** Lines enough to be worth shortening, around what is tested. */
const around = (middle: string | Buffer) =>
  Buffer.concat([
    Buffer.from('a line before\n'.repeat(200)),
    Buffer.from(middle),
    Buffer.from('a line behind\n'.repeat(200)),
  ]);

const OUTPUTS: [string, () => Buffer][] = [
  ['nothing', () => Buffer.alloc(0)],
  ['no final newline', () => Buffer.from(`${'words and words\n'.repeat(500)}the end`)],
  [
    'invalid UTF-8',
    () => around(Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0xe2, 0x82, 0x0a, 0xed, 0xa0, 0x80, 0x0a])),
  ],
  ['NULs', () => around('a\0b\0\0c\n\0\n')],
  ['only NULs, short', () => Buffer.alloc(20)],
  ['one line of 50 MB', () => Buffer.alloc(50 * MIB, 'a line without an end ')],
  ['a million tiny lines', () => Buffer.from('x\n'.repeat(1_000_000))],
  ['an unterminated OSC', () => around('\x1b]0;a title that never ends\n')],
  ['an unterminated CSI', () => around('\x1b[1;2;3')],
  ['an unterminated DCS', () => around('\x1bPq#0;2;0;0;0')],
  ['a lone escape at the end', () => Buffer.concat([around(''), Buffer.from('\x1b')])],
  ['1 MB of noise', () => randomBytes(MIB)],
];

describe.each(['pty', 'pipe'])('bytes through the whole way on a %s', (mode) => {
  test.each(OUTPUTS)('%s', async (name, make) => {
    const bytes = make();
    const file = join(scratch, `${mode}-${name.replaceAll(/\W/g, '-')}`);
    writeFileSync(file, bytes);
    // dd, since what `cat` prints is shown as a file is.
    const ran = await runAsAgent(['bash', '-c', `dd if=${file} bs=64k status=none; exit 5`], {
      env: { ...home.env, CAVEMAN_MODE: mode },
    });
    expect(ran.code).toBe(5);
    const client = await clientOf(home.dir);
    const mine = (row: { command: string }) => row.command.includes(file);
    const row = (await capturesOnce(client, (rows) => rows.some(mine))).find(mine)!;
    expect(row.exit).toBe(5);
    expect(sha256(await bytesOf(client, row.handle))).toBe(sha256(bytes));
    await client.close();
    // Never larger, and never empty where there was something to read.
    expect(ran.out.length).toBeLessThanOrEqual(bytes.length);
    if (bytes.length > 0) expect(ran.out.length).toBeGreaterThan(0);
    const text = ran.out.toString('latin1');
    if (bytes.includes('a line behind')) expect(text).toContain('a line behind');
    if (bytes.length < 1000) expect(ran.out.equals(bytes)).toBe(true);
    rmSync(file);
  });
});

describe('handles', () => {
  const launcher = (args: string[]): Promise<CliResult> =>
    runAsAgent([join(ROOT, 'shell/caveman'), ...args], {
      env: { ...bareEnv(), CAVEMAN_HOME: home.dir },
      merged: false,
    }).then(({ out, err, code, signal }) => ({ stdout: out, stderr: err.toString(), exit: code, signal }));
  const node = (args: string[]) => runCli(args, { home: home.dir });
  const put = async (text: string): Promise<string> => {
    const client = await clientOf(home.dir);
    async function* once(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(text);
    }
    const { handle } = await client.put({ command: 'put', exit: 0 }, once());
    await client.close();
    return handle;
  };
  const refused = (result: CliResult, says: RegExp) => {
    expect(result.stdout.length).toBe(0);
    expect(result.stderr).toMatch(/^caveman: [^\n]+\n$/);
    expect(result.stderr).toMatch(says);
    expect(result.exit).toBe(1);
  };

  describe.each([
    ['the launcher', launcher],
    ['Node', node],
  ])('through %s', (_, call) => {
    test('unknown: says so, and where to look', async () => {
      refused(await call(['expand', 'cv00000000']), /cv00000000.*caveman list|caveman list/);
      refused(await call(['expand', 'nonsense']), /nonsense/);
    });

    test('misspelt: names the near one', async () => {
      const handle = await put(`misspelt ${_}\n`);
      const wrong = handle.slice(0, -1) + (handle.endsWith('0') ? '1' : '0');
      refused(await call(['expand', wrong]), new RegExp(handle));
    });

    test('an ambiguous prefix', async () => {
      await put('one of many\n');
      await put('another of many\n');
      refused(await call(['expand', 'cv']), /cv/);
    });

    test('forgotten', async () => {
      const handle = await put(`forgotten ${_}\n`);
      expect((await node(['forget', handle])).exit).toBe(0);
      refused(await call(['expand', handle]), /forgotten/);
    });
  });

  test('a unique prefix is enough', async () => {
    const handle = await put('a prefix will do\n');
    expect((await launcher(['expand', handle.slice(0, 9)])).stdout.toString()).toBe('a prefix will do\n');
  });
});
