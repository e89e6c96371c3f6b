import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadPtyPackage } from '../../src/pty/package.ts';
import { openHeldPty } from '../../src/pty/pair.ts';
import { setRaw } from '../../src/pty/raw-mode.ts';

const require = createRequire(import.meta.url);
const installed = ['node-pty', '@lydell/node-pty'].filter((name) => {
  try {
    return require.resolve(name) !== '';
  } catch {
    return false;
  }
});

test('the prebuilt twin is always there: no compiler is needed', () => {
  expect(installed).toContain('@lydell/node-pty');
});

describe.each(installed)('%s', (name) => {
  test('opens a pair: what goes in at the slave comes out at the master', () => {
    const pair = loadPtyPackage(name).open(80, 24);
    writeSync(pair.slave, 'hello');
    const buffer = Buffer.alloc(16);
    expect(buffer.toString('utf8', 0, readSync(pair.master, buffer))).toBe('hello');
    closeSync(pair.slave);
    closeSync(pair.master);
  });
});

test('no package: one line that tells what to do', () => {
  expect(() => loadPtyPackage('no-such-package')).toThrow(/no PTY package loads.*install\.sh/);
});

test('a held terminal in raw mode gives every byte as it was, and its holder ends with its last user', async () => {
  const dir = mkdtempSync('/tmp/cvp-');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const out = openSync(join(dir, 'out'), 'w');
  const held = openHeldPty(loadPtyPackage(), out);
  closeSync(out);
  expect(await setRaw([held.path])).toBe(0);
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
  const user = openSync(held.path, constants.O_WRONLY | constants.O_NOCTTY);
  writeSync(user, bytes);
  const gone = new Promise((resolve) => held.holder.once('exit', resolve));
  closeSync(user);
  closeSync(held.slaveFd);
  await gone;
  expect(readFileSync(join(dir, 'out')).equals(bytes)).toBe(true);
});

test('a terminal that is not there is told by the status', async () => {
  expect(await setRaw(['/dev/pts/no-such'])).not.toBe(0);
});
