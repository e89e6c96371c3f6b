import { copyFileSync, readdirSync, renameSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { bytesOf, chatter, clientOf, handleIn } from '../helpers/archived.ts';
import { runCli } from '../helpers/cli.ts';
import { type Home, startHome } from '../helpers/home.ts';

const LINES = 300;
const NOISE = (tag: string) =>
  `for ((i = 0; i < ${LINES}; i++)); do echo "${tag} step $i compiled without a word"; done; exit 3`;

const DAMAGE: [string, (file: string) => void][] = [
  ['replaced by text', (file) => writeFileSync(file, 'this is no database\n'.repeat(1000))],
  ['cut off', (file) => truncateSync(file, 5000)],
];

let home: Home;
let file: string;
beforeEach(async () => {
  home = await startHome();
  file = join(home.dir, 'archive', 'archive.mdb');
});
afterEach(() => home.stop());

/** Runs a command; its output, whole or as a projection whose handle gives it back. */
async function works(tag: string): Promise<void> {
  const ran = await runAsAgent(['bash', '-c', NOISE(tag)], { env: home.env });
  expect(ran.code).toBe(3);
  const text = ran.out.toString();
  const handle = handleIn(text);
  if (handle === null) {
    expect(text).toBe(chatter(tag, LINES));
    return;
  }
  const client = await clientOf(home.dir);
  expect((await bytesOf(client, handle)).toString()).toBe(chatter(tag, LINES));
  await client.close();
}

describe.each(DAMAGE)('an archive file that was %s', (_, damage) => {
  test('while no daemon ran: put aside, said by status and doctor, and commands go on', async () => {
    await works('before');
    expect((await runCli(['daemon', 'stop'], { home: home.dir })).exit).toBe(0);
    damage(file);
    await home.restart();
    await works('after');
    const status = await runCli(['status'], { home: home.dir });
    expect(status.exit).toBe(0);
    expect(status.stdout.toString()).toMatch(/damaged/);
    expect(readdirSync(join(home.dir, 'archive')).some((name) => name.includes('.damaged-'))).toBe(true);
    const doctor = await runCli(['doctor', '--json'], { home: home.dir });
    expect(doctor.stdout.toString()).toMatch(/damaged/);
  });
});

test('replaced under a live daemon: nothing is lost, and status says what happened', async () => {
  await works('before');
  copyFileSync(file, `${file}.copy`);
  writeFileSync(`${file}.new`, 'this is no database\n'.repeat(1000));
  renameSync(`${file}.new`, file);
  await works('after');
  await works('again');
  const status = await runCli(['status'], { home: home.dir });
  expect(status.stdout.toString()).toMatch(/replaced/);
});

test.each(DAMAGE)('%s in place under a live daemon: commands keep their output', async (_, damage) => {
  await works('before');
  damage(file);
  for (const tag of ['one', 'two', 'three']) await works(tag);
  const status = await runCli(['status'], { home: home.dir });
  expect(status.stdout.toString() + status.stderr).toMatch(/damaged|worker/);
});
