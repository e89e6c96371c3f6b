import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openArchive } from '../../src/archive/open.ts';
import {
  codeOf,
  LIMITS,
  MIB,
  noise,
  ownArchive,
  ownDirectory,
  readAll,
  store,
} from '../unit/archive-fixture.ts';

function reopened(dir: string) {
  const archive = openArchive(dir, LIMITS, Date.now);
  onTestFinished(() => archive.close());
  return archive;
}

/** A closed archive with one capture in it. */
async function filled(): Promise<{ dir: string; file: string; handle: string }> {
  const { archive, dir } = ownArchive();
  const { handle } = await store(archive, { stdout: noise(MIB, 1) });
  await archive.close();
  return { dir, file: join(dir, 'archive.mdb'), handle };
}

describe('a damaged database file', () => {
  it.each([
    ['text', (file: string) => writeFileSync(file, 'this is no database\n')],
    ['noise', (file: string) => writeFileSync(file, noise(100_000, 5))],
    ['cut within its header', (file: string) => truncateSync(file, 1000)],
    ['cut after its header', (file: string) => truncateSync(file, 3 * 4096)],
  ])('is moved aside when it is opened: %s', async (_, damage) => {
    const { dir, file, handle } = await filled();
    damage(file);
    const damaged = readFileSync(file);
    const archive = reopened(dir);
    expect(archive.status().trouble).toContain('archive.mdb.damaged-');
    expect(archive.status().trouble).not.toContain('\n');
    const aside = readdirSync(dir).filter((name) => name.includes('.damaged-'));
    expect(aside).toHaveLength(1);
    expect(readFileSync(join(dir, aside[0]!)).equals(damaged)).toBe(true);
    expect(await codeOf(() => archive.resolve(handle, { prefix: false }))).toBe('unknown-handle');
    const made = await store(archive, { stdout: 'goes on' });
    expect(readAll(archive, made.handle).toString()).toBe('goes on');
  });

  it('gives an error instead of wrong bytes', async () => {
    const { dir, file, handle } = await filled();
    const bytes = readFileSync(file);
    const at = bytes.indexOf(noise(MIB, 1).subarray(600_000, 600_100));
    expect(at).toBeGreaterThan(0);
    const fd = openSync(file, 'r+');
    writeSync(fd, Buffer.from([bytes[at]! ^ 1]), 0, 1, at);
    closeSync(fd);
    const archive = reopened(dir);
    const read: Uint8Array[] = [];
    expect(
      await codeOf(() => {
        for (const chunk of archive.read(handle, 'stdout')) read.push(chunk);
      }),
    ).toBe('damaged-archive');
    expect(Buffer.concat(read).equals(noise(MIB, 1).subarray(0, 2 * 262_144))).toBe(true);
  });
});

describe('a database file that goes away while it is open', () => {
  it('is laid again with all that was in it when it was deleted', async () => {
    const { archive, dir } = ownArchive();
    const before = await store(archive, { stdout: noise(MIB, 1) });
    rmSync(dir, { recursive: true });
    const after = await store(archive, { stdout: 'after\n' });
    expect(archive.status().trouble).toContain('deleted');
    await archive.close();
    const again = reopened(dir);
    expect(readAll(again, before.handle).equals(noise(MIB, 1))).toBe(true);
    expect(readAll(again, after.handle).toString()).toBe('after\n');
  });

  it('is laid again when another file took its place, which is kept', async () => {
    const { archive, dir } = ownArchive();
    const before = await store(archive, { stdout: 'before\n' });
    const file = join(dir, 'archive.mdb');
    rmSync(file);
    writeFileSync(file, 'a stranger');
    const after = await store(archive, { stdout: 'after\n' });
    expect(archive.status().trouble).toContain('replaced');
    expect([before, after].map(({ handle }) => readAll(archive, handle).toString())).toEqual([
      'before\n',
      'after\n',
    ]);
    const aside = readdirSync(dir).find((name) => name.includes('.damaged-'))!;
    expect(readFileSync(join(dir, aside), 'utf8')).toBe('a stranger');
  });
});

describe('an archive that cannot be opened', () => {
  it('is refused with one line when a newer caveman wrote it', async () => {
    const { dir, file } = await filled();
    const { open } = await import('lmdb');
    const root = open({ path: file, maxDbs: 20 });
    root.openDB({ name: 'meta', useVersions: true }).transactionSync(() => {
      root.openDB({ name: 'meta', useVersions: true }).put('format', 99, 1);
    });
    await root.close();
    expect(await codeOf(() => openArchive(dir, LIMITS, Date.now))).toBe('archive-unavailable');
  });

  it('is refused with one line when something else stands there', async () => {
    const dir = ownDirectory();
    writeFileSync(join(dir, 'archive'), '');
    expect(await codeOf(() => openArchive(join(dir, 'archive'), LIMITS, Date.now))).toBe('foreign-path');
    chmodSync(dir, 0o700);
  });
});

describe.runIf(process.getuid?.() === 0)('a full disk (a small tmpfs, so as root only)', () => {
  it('refuses with one line, loses nothing, and goes on when there is room again', async () => {
    const dir = ownDirectory();
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', dir]);
    onTestFinished(() => {
      execFileSync('umount', ['-l', dir]);
    });
    writeFileSync(join(dir, 'ballast'), Buffer.alloc(4 * MIB));
    const archive = openArchive(dir, LIMITS, Date.now);
    onTestFinished(() => archive.close());
    const kept: string[] = [];
    let refusal = '';
    for (let seed = 0; refusal === '' && seed < 40; seed++) {
      refusal = await codeOf(async () =>
        kept.push((await store(archive, { stdout: noise(700_000, seed) })).handle),
      );
    }
    expect(refusal).toBe('archive-full');
    expect(kept.length).toBeGreaterThan(3);
    expect(await codeOf(() => store(archive, { stdout: noise(6 * MIB, 99) }))).toBe('archive-full');
    kept.forEach((handle, seed) => {
      expect(readAll(archive, handle).equals(noise(700_000, seed))).toBe(true);
    });
    expect(archive.status().refused).toBe(2);
    rmSync(join(dir, 'ballast'));
    const after = await store(archive, { stdout: noise(700_000, 77) });
    expect(readAll(archive, after.handle).equals(noise(700_000, 77))).toBe(true);
  });
});
