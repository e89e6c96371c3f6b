import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  watch,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { chatter, clientOf, handleIn } from '../helpers/archived.ts';
import { type Home, startHome } from '../helpers/home.ts';

const LINES = 200;
const original = chatter('attacked', LINES);
const NOISE = `for ((i = 0; i < ${LINES}; i++)); do echo "attacked step $i compiled without a word"; done; exit 3`;

let home: Home;
let run: string;
beforeEach(async () => {
  home = await startHome();
  run = join(home.dir, 'run');
});
afterEach(() => home.stop());

const command = (shell = 'bash') => runAsAgent([shell, '-c', NOISE], { env: home.env });

/** A command that is projected again, tried while hooks rightly give up. */
async function servedAgain(): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt++) {
    const ran = await command();
    expect(ran.code).toBe(3);
    if (handleIn(ran.out.toString()) !== null) return;
    expect(ran.out.toString()).toBe(original);
  }
  throw new Error('nothing is projected any more');
}

/** Takes a ticket as a hook does. */
function ticket(): string {
  const fd = openSync(join(run, 'tickets'), constants.O_RDWR);
  const byte = Buffer.alloc(1);
  readSync(fd, byte);
  closeSync(fd);
  return byte.toString('latin1');
}

async function freeTicketsOnce(count: number): Promise<void> {
  const client = await clientOf(home.dir);
  for (;;) {
    const { daemon } = await client.request('status', {});
    if (daemon.freeTickets >= count) break;
  }
  await client.close();
}

const request = (fields: string[], version = 'CV1', count = fields.length) =>
  `${version} 1.2.3 run ${count}\n${fields.map((field) => `${field}\0`).join('')}`;
const FIELDS = ['true', '4', '', '/', 'TEST', 's', 'm'];

describe('what a slot may be sent', () => {
  test.each([
    ['half a request', request(FIELDS).slice(0, 30)],
    ['nothing, and left', ''],
    ['a request without an end', request(FIELDS, 'CV1', 9).padEnd(65_000, 'x')],
    ['a line without an end', 'x'.repeat(60_000)],
    ['noise', Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) & 255))],
    ['another version', request(FIELDS, 'CV9')],
    ['another verb', request(FIELDS).replace(' run ', ' dance ')],
    ['two requests at once', request(FIELDS) + request(FIELDS).replace('1.2.3', '4.5.6')],
    ['noise behind a request', request(FIELDS) + '\nEXIT 999\n\nEXIT x\n\0\0'.repeat(50)],
    ['a million fields', request(FIELDS, 'CV1', 1_000_000)],
  ])('%s: the next command is served', async (_, bytes) => {
    const slot = ticket();
    const fd = openSync(join(run, `q${slot}`), constants.O_RDWR | constants.O_NONBLOCK);
    if (bytes.length > 0) writeSync(fd, Buffer.from(bytes));
    await servedAgain();
    closeSync(fd);
    await servedAgain();
    await freeTicketsOnce(32);
  });

  test('tickets that are taken and never used come back', async () => {
    for (let i = 0; i < 32; i++) ticket();
    const ran = await command();
    expect(ran.code).toBe(3);
    await servedAgain();
    // A slot that was laid anew lies under its old name.
    for (let i = 0; i < 32; i++) ticket();
    await servedAgain();
  });
});

describe('a rendezvous that somebody meddles with', () => {
  const again = (name: string): Promise<void> =>
    new Promise((resolve) => {
      const watcher = watch(run, (_, changed) => {
        if (changed !== name) return;
        watcher.close();
        resolve();
      });
    });

  test('a plain file in place of a slot: untouched, then served', async () => {
    for (const name of ['q0', 'p1']) {
      unlinkSync(join(run, name));
      writeFileSync(join(run, name), '');
    }
    for (let i = 0; i < 4; i++) expect((await command()).code).toBe(3);
    await servedAgain();
  });

  test('a plain file, then a link, in place of the tickets: untouched, then laid again', async () => {
    const tickets = join(run, 'tickets');
    unlinkSync(tickets);
    writeFileSync(tickets, '0123456789');
    let laid = again('tickets');
    expect((await command()).out.toString()).toBe(original);
    expect((await command('zsh')).out.toString()).toBe(original);
    await laid;
    await servedAgain();
    renameSync(tickets, `${tickets}.old`);
    symlinkSync('/dev/null', tickets);
    laid = again('tickets');
    expect((await command()).out.toString()).toBe(original);
    await laid;
    await servedAgain();
  });

  test('the directory deleted: untouched, then laid again; what runs meanwhile is kept', async () => {
    const gate = join(home.dir, 'gate');
    const ready = join(home.dir, 'ready');
    execFileSync('mkfifo', [gate, ready]);
    const gateFd = openSync(gate, constants.O_RDWR);
    const readyFd = openSync(ready, constants.O_RDWR);
    const running = runAsAgent(['bash', '-c', `echo x >${ready}; read -r _ <${gate}; ${NOISE}`], {
      env: home.env,
    });
    readSync(readyFd, Buffer.alloc(1));
    rmSync(run, { recursive: true });
    expect((await command()).out.toString()).toBe(original);
    writeSync(gateFd, 'go\n');
    const ran = await running;
    expect(ran.code).toBe(3);
    expect(ran.out.toString()).toContain(`attacked step ${LINES - 1} compiled`);
    closeSync(gateFd);
    closeSync(readyFd);
    await directoryLaid();
    await servedAgain();
  });

  async function directoryLaid(): Promise<void> {
    await new Promise<void>((resolve) => {
      const watcher = watch(home.dir, () => {
        if (!existsSync(run)) return;
        watcher.close();
        resolve();
      });
      if (existsSync(run)) {
        watcher.close();
        resolve();
      }
    });
  }

  test.runIf(process.getuid?.() === 0)('tickets of another user: untouched at once', async () => {
    const tickets = join(run, 'tickets');
    unlinkSync(tickets);
    execFileSync('mkfifo', ['-m', '666', tickets]);
    execFileSync('chown', ['65534', tickets]);
    for (const shell of ['bash', 'zsh']) expect((await command(shell)).out.toString()).toBe(original);
  });

  test('a link in place of the directory: refused', async () => {
    const aside = join(home.dir, 'aside');
    renameSync(run, aside);
    symlinkSync(aside, run);
    for (const shell of ['bash', 'zsh']) expect((await command(shell)).out.toString()).toBe(original);
    unlinkSync(run);
    mkdirSync(run, 0o755);
    await again('tickets');
    await servedAgain();
  });
});
