import { execFileSync, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { constants, open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textOf, WorkerUnderTest } from '../helpers/worker-process.ts';

const fixture = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)));
const HANDLE = /\bcv[0-9a-hjkmnp-tv-z]{8,}\b/;

describe('worker', () => {
  const worker = new WorkerUnderTest();
  let jobs = 1000;
  beforeEach(() => worker.start());
  afterEach(() => worker.stop());
  afterAll(() => worker.remove());

  /** `expand` through a FIFO; the test holds both ends until the worker has its own, as the daemon does. */
  async function expand(args: string[], tty = false): Promise<Buffer> {
    const path = join(worker.home, `reply${++jobs}`);
    execFileSync('mkfifo', [path]);
    const hold = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
    // The reader's end is open before the worker may write and close: else both could be over before it looks.
    const readEnd = await open(path, 'r');
    const reader = spawn('cat', { stdio: [readEnd.fd, 'pipe', 'inherit'] });
    await readEnd.close();
    const chunks: Buffer[] = [];
    reader.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    const closed = new Promise((resolve) => reader.on('close', resolve));
    const job = jobs;
    worker.send({ type: 'expand', job, args, tty, replyPath: path });
    await worker.until((message) => message.type === 'replyOpened' && message.job === job);
    await hold.close();
    await worker.until((message) => message.type === 'expanded' && message.job === job);
    await closed;
    return Buffer.concat(chunks);
  }

  it('gives bytes that no shell variable can hold, and long ones, to be copied', async () => {
    for (const bytes of [Buffer.from('a\0b\n'.repeat(500)), Buffer.from('a line of it\n'.repeat(40_000))]) {
      const answer = await worker.project([worker.spool('stdout', bytes)], {}, { announce: true });
      const { stdout } = answer;
      const handle = HANDLE.exec(stdout.kind === 'text' ? textOf(stdout) : JSON.stringify(answer))?.[0] ?? '';
      expect((await expand([handle])).equals(Buffer.concat([Buffer.from('C\n'), bytes]))).toBe(true);
    }
  });

  it('archives, projects with one footer, and gives the original back', async () => {
    const log = fixture('build.log');
    const { stdout, stderr } = await worker.project([worker.spool('stdout', log)], { exit: 3 });
    const text = textOf(stdout);
    const expected = fixture('build.expected.txt').toString();
    expect(stderr).toBeNull();
    expect(text.startsWith(expected)).toBe(true);
    expect(text.slice(expected.length)).toMatch(
      /^\[124→9 lines · exit 3 · caveman expand cv[0-9a-z]{8,}\]\n$/,
    );
    const handle = HANDLE.exec(text)?.[0] ?? '';
    expect((await expand([handle])).toString('latin1')).toBe(`T ${log.length}\n${log.toString('latin1')}E\n`);
    expect((await expand([handle, '--view'])).toString()).toBe(`C\n${text}`);
    expect((await expand([handle, '--lines', '123:124'])).toString()).toBe(
      'C\nbuild finished with 1 error\nexit status 1\n',
    );
    expect((await expand([handle, '--gap', '2'])).toString().split('\n')).toHaveLength(49 + 2);
    expect((await expand([handle, '--grep', 'TypeError', '-C', '1'])).toString().split('\n')).toHaveLength(5);
    expect((await expand([handle, '--tail', '1'], true)).toString()).toBe('C\nexit status 1\n');
    expect((await expand([handle], true)).toString()).toContain('^[[31mERROR');
    expect((await expand([handle, '--gap', '3'])).toString()).toMatch(/^X 1 \d+\ncaveman: there is no gap 3/);
    expect((await expand([handle, '--grep', '('])).toString()).toMatch(/^X 1 \d+\ncaveman: --grep/);
    expect((await expand([handle, '--stream', 'stderr'])).toString()).toMatch(/^X 1 \d+\n/);
    expect((await expand([handle, '--nope'])).toString()).toMatch(/^X 2 \d+\ncaveman: unknown option/);
    // What was sent once is not shortened again.
    const again = await worker.project([worker.spool('stdout', text)]);
    expect(again.stdout).toEqual({ kind: 'literal', trailer: '' });
  });

  it('lets short, raw and recovered output through, and tells a certain death', async () => {
    const short = await worker.project([worker.spool('stdout', 'hello')], { exit: 137, signal: 'SIGKILL' });
    expect(short.stdout).toEqual({ kind: 'literal', trailer: '\n[killed by SIGKILL]\n' });
    const log = fixture('build.log');
    for (const flag of ['raw', 'literal'] as const) {
      const flags = { killed: false, raw: false, literal: false, [flag]: true };
      const { stdout } = await worker.project(
        [worker.spool('stdout', Buffer.concat([log, randomBytes(4)]))],
        { flags },
      );
      expect(stdout).toEqual({ kind: 'literal', trailer: '' });
    }
  });

  it('puts the one footer on stdout when stderr was shortened', async () => {
    const { stdout, stderr } = await worker.project([
      worker.spool('stdout', 'done\n'),
      worker.spool('stderr', fixture('build.log').toString().repeat(3)),
    ]);
    expect(stdout).toMatchObject({
      kind: 'literal',
      trailer: expect.stringMatching(/^\[\d+→\d+ lines · .*cv\w+\]\n$/),
    });
    expect(textOf(stderr)).not.toMatch(HANDLE);
  });

  it('answers --json with one line for both streams', async () => {
    const { stdout, stderr } = await worker.project(
      [worker.spool('stdout', fixture('build.log')), worker.spool('stderr', 'warn\n')],
      { exit: 3 },
      { format: 'json' },
    );
    const line = textOf(stdout);
    expect(line.split('\n')).toHaveLength(2);
    expect(JSON.parse(line)).toMatchObject({
      handle: expect.stringMatching(HANDLE),
      exit: 3,
      text: fixture('build.expected.txt').toString(),
      lines_before: 125,
      lines_after: 10,
      source: 'terminal',
      stderr: { text: 'warn\n' },
    });
    expect(textOf(stderr)).toBe('');
  });

  it('refuses guesses: five misses, then nobody', async () => {
    const { stdout } = await worker.project([worker.spool('stdout', fixture('build.log'))]);
    const handle = HANDLE.exec(textOf(stdout))?.[0] ?? '';
    expect((await expand([handle.slice(0, 6)])).toString()).toMatch(/not a full handle/);
    for (let i = 0; i < 4; i++)
      expect((await expand(['cv00000000'])).toString()).toMatch(/^X 1 \d+\ncaveman: /);
    expect((await expand([handle])).toString()).toMatch(/^X 1 \d+\ncaveman: too many unknown handles/);
  });

  it('loses no shown handle to kill -9', async () => {
    const log = Buffer.concat([fixture('build.log'), Buffer.from(`${randomBytes(8).toString('hex')}\n`)]);
    const { stdout } = await worker.project([worker.spool('stdout', log)]);
    const handle = HANDLE.exec(textOf(stdout))?.[0] ?? '';
    const exited = worker.exited();
    worker.child.kill('SIGKILL');
    await exited;
    await worker.start();
    expect((await expand([handle])).toString('latin1')).toBe(`T ${log.length}\n${log.toString('latin1')}E\n`);
  });

  it('ends by itself when the daemon has gone, and leaves no socket', async () => {
    const exited = worker.exited();
    worker.child.disconnect();
    await exited;
    expect(worker.child.exitCode).toBe(0);
    expect(readdirSync(join(worker.home, 'run'))).toEqual([]);
    await worker.start();
  });

  it('serves a small capture while a large one is under way', async () => {
    const large = Buffer.alloc(40 * 1024 * 1024, 'a line of some forty characters, 123456\n');
    const order: string[] = [];
    const slow = worker.project([worker.spool('stdout', large)]).then(() => order.push('large'));
    const fast = worker.project([worker.spool('stdout', 'small\n')]).then(() => order.push('small'));
    await Promise.all([slow, fast]);
    expect(order).toEqual(['small', 'large']);
  });

  it('ends an expand whose reader has left', async () => {
    const bytes = randomBytes(8 * 1024 * 1024);
    const { stdout } = await worker.project([worker.spool('stdout', bytes)], {}, { format: 'json' });
    const handle = JSON.parse(textOf(stdout)).handle as string;
    const path = join(worker.home, 'gone');
    execFileSync('mkfifo', [path]);
    const hold = await open(path, constants.O_RDWR | constants.O_NONBLOCK);
    worker.send({ type: 'expand', job: 1, args: [handle], tty: false, replyPath: path });
    await worker.until((message) => message.type === 'replyOpened' && message.job === 1);
    await hold.close();
    await worker.until((message) => message.type === 'expanded' && message.job === 1);
  });

  it('reports a spool that is shorter than announced', async () => {
    const stream = worker.spool('stdout', 'abc');
    await expect(worker.project([{ ...stream, bytes: 10 }])).rejects.toThrow(/spool/);
  });

  it('writes private files only, and no command or output into its log', async () => {
    await worker.project([worker.spool('stdout', 'hunter2\n')], { command: 'login --password hunter2' });
    const log = join(worker.home, 'logs', 'worker.log');
    expect(statSync(log).mode & 0o777).toBe(0o600);
    expect(readFileSync(log, 'utf8')).not.toContain('hunter2');
    expect(statSync(join(worker.home, 'run', 'caveman.sock')).mode & 0o777).toBe(0o600);
    expect(statSync(join(worker.home, 'run')).mode & 0o777).toBe(0o700);
  });

  it('gives 16 MiB back byte for byte', async () => {
    const bytes = randomBytes(16 * 1024 * 1024);
    const { stdout } = await worker.project([worker.spool('stdout', bytes)], {}, { format: 'json' });
    const handle = JSON.parse(textOf(stdout)).handle as string;
    const got = (await expand([handle])).subarray(2);
    const digest = (data: Uint8Array): string => createHash('sha256').update(data).digest('hex');
    expect(digest(got)).toBe(digest(bytes));
  });
});
