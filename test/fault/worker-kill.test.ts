import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { bytesOf, capturesOnce, chatter, clientOf } from '../helpers/archived.ts';
import { type Home, startHome } from '../helpers/home.ts';

const COMMANDS = 20;

let home: Home;
let scratch: string;
beforeAll(async () => {
  home = await startHome();
  scratch = mkdtempSync('/tmp/cvw-');
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await home.stop();
});

/** A FIFO that this process holds open at both ends. */
function fifo(name: string): { path: string; fd: number } {
  const path = join(scratch, name);
  execFileSync('mkfifo', [path]);
  return { path, fd: openSync(path, constants.O_RDWR | constants.O_NONBLOCK) };
}

/** The first `count` lines that come out of the FIFO. */
function lines(fd: number, count: number): Promise<string[]> {
  const socket = new Socket({ fd, readable: true, writable: false });
  return new Promise((resolve) => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const whole = text.split('\n');
      if (whole.length <= count) return;
      socket.destroy();
      resolve(whole.slice(0, count));
    });
  });
}

test.each(['run', 'end'])(
  'worker killed under twenty commands while they %s: every output and status arrives, every capture is archived',
  async (when) => {
    const gate = fifo(`gate-${when}`);
    const ready = fifo(`ready-${when}`);
    const length = (n: number) => 400 + n;
    const original = (n: number) => chatter(`job${when}x${n}`, length(n));
    const script = (n: number) =>
      `echo "${n} $CAVEMAN_CAPTURE" >${ready.path}; read -r -N 1 _ <${gate.path}
       for ((i = 0; i < ${length(n)}; i++)); do echo "job${when}x${n} step $i compiled without a word"; done; exit ${n}`;
    const running = Array.from({ length: COMMANDS }, (_, n) =>
      runAsAgent(['bash', '-c', script(n)], { env: home.env }),
    );
    // Who got no ticket in time runs untouched, and has no capture.
    const ids = new Map<number, string>();
    for (const line of await lines(ready.fd, COMMANDS)) {
      const [n, id] = line.split(' ');
      if (id) ids.set(Number(n), id);
    }
    if (when === 'run') process.kill(home.workerPid(), 'SIGKILL');
    // One byte lets one command through.
    writeSync(gate.fd, 'x'.repeat(COMMANDS));
    if (when === 'end') {
      await Promise.race(running);
      process.kill(home.workerPid(), 'SIGKILL');
    }
    const ran = await Promise.all(running);
    closeSync(gate.fd);
    const client = await clientOf(home.dir);
    const all = await capturesOnce(client, (rows) =>
      [...ids.values()].every((id) => rows.some((r) => r.id === id)),
    );
    for (const [n, { out, code }] of ran.entries()) {
      expect(code).toBe(n);
      const text = out.toString();
      // Whole, or a projection that shows its end.
      if (text !== original(n)) expect(text).toContain(`job${when}x${n} step ${length(n) - 1} compiled`);
      const row = all.find(({ id }) => id === ids.get(n));
      if (!row) expect(text).toBe(original(n));
      else {
        expect(row.exit).toBe(n);
        expect((await bytesOf(client, row.handle)).toString()).toBe(original(n));
      }
    }
    expect(ids.size).toBeGreaterThan(COMMANDS / 2);
    await client.close();
  },
);
