import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { bytesOf, capturesOnce, chatter, clientOf } from '../helpers/archived.ts';
import { type Home, startHome } from '../helpers/home.ts';

const MAX_LATE_BYTES = 1024 * 1024;

let home: Home;
let scratch: string;
beforeAll(async () => {
  home = await startHome();
  scratch = mkdtempSync('/tmp/cvl-');
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await home.stop();
});

function fifo(name: string): string {
  const path = join(scratch, name);
  execFileSync('mkfifo', [path]);
  return path;
}

test.each([
  ['bash', 'pty', 300],
  ['zsh', 'pty', 300],
  ['bash', 'pipe', 300],
  ['zsh', 'pipe', 1],
])(
  '%s on a %s: what a background child prints after the end is kept, and nobody waits for it',
  async (shell, mode, lines) => {
    const gate = fifo(`gate-${shell}-${mode}`);
    const done = fifo(`done-${shell}-${mode}`);
    const held = openSync(gate, constants.O_RDWR);
    const tag = `${shell}${mode}`;
    const job = `read -r _ <${gate}; echo late one; head -c 3000000 /dev/zero | tr '\\0' z; echo ended >${done}`;
    const script = `for ((i = 0; i < ${lines}; i++)); do echo "${tag} step $i compiled without a word"; done; (${job}) & exit 6`;
    const ran = await runAsAgent([shell, '-c', script], {
      env: { ...home.env, CAVEMAN_MODE: mode },
      stdout: 'file',
    });
    // The answer came while the child still waits at its gate.
    expect(ran.code).toBe(6);
    expect(ran.out.toString()).toContain(`${tag} step ${lines - 1} compiled`);
    writeSync(held, 'go\n');
    // It is not stopped by the cap: it runs to its end.
    expect(await readFile(done, 'utf8')).toBe('ended\n');
    closeSync(held);
    const client = await clientOf(home.dir);
    const all = await capturesOnce(client, (rows) => rows.some((row) => row.command.includes(`${tag} step`)));
    const { handle } = all.find((row) => row.command.includes(`${tag} step`))!;
    await lateOnce(client, handle);
    const late = await bytesOf(client, handle, { stream: 'late' });
    expect(late.length).toBe(MAX_LATE_BYTES);
    expect(late.subarray(0, 12).toString()).toBe('late one\nzzz');
    expect((await bytesOf(client, handle)).toString()).toBe(chatter(tag, lines));
    await client.close();
  },
);

async function lateOnce(client: Awaited<ReturnType<typeof clientOf>>, handle: string): Promise<void> {
  for (let attempt = 0; attempt < 20_000; attempt++) {
    const { streams } = await client.request('show', { handle });
    if (streams.some(({ name }) => name === 'late')) return;
  }
  throw new Error('no late output was archived');
}
