import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArchive } from '../../src/archive/open.ts';
import type { StoredView } from '../../src/archive/types.ts';
import { codeOf, LIMITS, MIB, noise, ownArchive, readAll, store } from './archive-fixture.ts';

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

describe('a capture in the archive', () => {
  it('gives every stream back byte for byte, with its lines and digest', async () => {
    const { archive } = ownArchive();
    const out = noise(700_000, 1);
    const { handle, streams } = await store(archive, { stdout: out, stderr: 'one\ntwo' });
    expect(handle).toMatch(/^cv[0-9a-hjkmnp-tv-z]{8}$/);
    expect(readAll(archive, handle).equals(out)).toBe(true);
    expect(readAll(archive, handle, 'stderr').toString()).toBe('one\ntwo');
    expect(streams).toEqual([
      { name: 'stdout', bytes: 700_000, sha256: sha256(out), lines: expect.any(Number), lost: null },
      { name: 'stderr', bytes: 7, sha256: sha256('one\ntwo'), lines: 2, lost: null },
    ]);
    expect(streams[0]?.lines).toBe(out.toString('latin1').split('\n').length);
  });

  it('survives closing and opening, and keeps the facts', async () => {
    const { archive, dir, clock } = ownArchive();
    const { handle } = await store(archive, { stdout: 'kept\n' }, { command: 'echo kept', exit: 3 });
    await archive.close();
    const again = openArchive(dir, LIMITS, clock.now);
    try {
      expect(readAll(again, handle).toString()).toBe('kept\n');
      expect(again.captures(handle)[0]?.facts).toMatchObject({ command: 'echo kept', exit: 3 });
    } finally {
      await again.close();
    }
  });

  it('has the same handle for the same bytes, and lists its captures newest first', async () => {
    const { archive } = ownArchive();
    const first = await store(archive, { stdout: 'same\n' });
    const second = await store(archive, { stdout: 'same\n', stderr: '' });
    const other = await store(archive, { stderr: 'same\n' });
    expect(second.handle).toBe(first.handle);
    expect(other.handle).not.toBe(first.handle);
    expect(archive.captures(first.handle).map((c) => c.facts.id)).toEqual([second.id, first.id]);
  });

  it('accepts no output at all', async () => {
    const { archive } = ownArchive();
    const { handle, streams } = await store(archive, {});
    expect(streams).toEqual([{ name: 'stdout', bytes: 0, sha256: sha256(''), lines: 0, lost: null }]);
    expect(readAll(archive, handle).length).toBe(0);
  });

  it('stores the bytes of repeated streams once', async () => {
    const { archive } = ownArchive();
    const out = noise(2 * MIB, 2);
    await store(archive, { stdout: out });
    const before = archive.status().bytes;
    await store(archive, { stdout: out, stderr: 'but another handle' });
    await store(archive, { stdout: out });
    expect(archive.status().bytes - before).toBeLessThan(100_000);
    expect(archive.status()).toMatchObject({ captures: 3, handles: 2 });
  });

  it('replaces itself when it is archived twice', async () => {
    const { archive } = ownArchive();
    const first = await store(archive, { stdout: 'a\n' });
    await store(archive, { stdout: 'a\n' }, { id: first.id });
    expect(archive.captures(first.handle)).toHaveLength(1);
    await archive.forget(first.handle);
    expect(archive.status()).toMatchObject({ captures: 0, handles: 0 });
  });

  it('lists the newest captures, of all or of one session', async () => {
    const { archive } = ownArchive();
    const made = [];
    for (const session of ['a', 'b', 'a', 'b'])
      made.push(await store(archive, { stdout: session }, { session }));
    const ids = made.map((m) => m.id);
    expect(archive.list({ limit: 3 }).map((c) => c.facts.id)).toEqual([ids[3], ids[2], ids[1]]);
    expect(archive.list({ limit: 9, session: 'a' }).map((c) => c.facts.id)).toEqual([ids[2], ids[0]]);
    expect(archive.list({ limit: 9, session: 'none' })).toEqual([]);
  });

  it('keeps late output beside it without changing the handle', async () => {
    const { archive } = ownArchive();
    const { handle, id } = await store(archive, { stdout: 'started\n' });
    await archive.addLate(id, chunksOf('tick\n', 'tock\n'));
    expect(readAll(archive, handle, 'late').toString()).toBe('tick\ntock\n');
    expect(archive.captures(handle)[0]?.streams.map((s) => s.name)).toEqual(['stdout', 'late']);
    expect((await store(archive, { stdout: 'started\n' })).handle).toBe(handle);
    expect(await codeOf(() => archive.addLate('f'.repeat(16), chunksOf('lost')))).toBe('unknown-handle');
  });

  it('remembers what was shown', async () => {
    const { archive } = ownArchive({ rememberedViews: 2 });
    const { handle, id } = await store(archive, { stdout: 'x\n'.repeat(900) });
    expect(archive.viewText(handle)).toBeNull();
    await archive.setView(id, viewOf('x ×900'), 'x ×900');
    await archive.setTokens(id, 900, 4, true);
    expect(archive.viewText(handle)).toBe('x ×900');
    expect(archive.captures(handle)[0]?.view).toMatchObject({ source: 'terminal', tokensAfter: 4 });
    expect(archive.sentBefore(sha256('x ×900'))).toBe(true);
    await archive.setView(id, viewOf('second'), 'second');
    await archive.setView(id, viewOf('third'), null);
    expect([archive.sentBefore(sha256('x ×900')), archive.sentBefore(sha256('third'))]).toEqual([
      false,
      true,
    ]);
    expect(archive.viewText(handle)).toBeNull();
  });

  it('leaves nothing behind when it is aborted', async () => {
    const { archive } = ownArchive();
    const before = archive.status().bytes;
    const writer = archive.writer();
    await writer.write('stdout', noise(6 * MIB, 3));
    await writer.abort();
    expect(archive.status()).toMatchObject({ captures: 0, handles: 0 });
    expect(archive.status().bytes - before).toBeLessThan(64 * 1024);
  });

  it('is sealed together with others, each with its own outcome', async () => {
    const { archive } = ownArchive();
    const made = await Promise.all(
      Array.from({ length: 100 }, (_, i) => store(archive, { stdout: `${i % 10}\n` })),
    );
    expect(new Set(made.map((m) => m.handle)).size).toBe(10);
    made.forEach(({ handle }, i) => {
      expect(readAll(archive, handle).toString()).toBe(`${i % 10}\n`);
    });
    expect(archive.captures(made[0]!.handle)).toHaveLength(10);
    const handle = made[0]!.handle;
    const unknown = codeOf(() => archive.pin('cv00000000', true));
    await Promise.all([
      archive.pin(handle, true),
      archive.markShown(handle, 5),
      archive.pin(made[1]!.handle, true),
    ]);
    expect(await unknown).toBe('unknown-handle');
    expect(archive.captures(handle)[0]).toMatchObject({ pinned: true, shownAtMs: 5 });
    expect(archive.status()).toMatchObject({ captures: 100, handles: 10, pinned: 2 });
  });

  it('keeps its directory and files private whatever the umask', async () => {
    const old = process.umask(0);
    try {
      const { dir } = ownArchive();
      const modes = ['', 'archive.mdb', 'archive.mdb-lock'].map(
        (name) => statSync(join(dir, name)).mode & 0o777,
      );
      expect(modes).toEqual([0o700, 0o600, 0o600]);
    } finally {
      process.umask(old);
    }
  });
});

async function* chunksOf(...texts: string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

function viewOf(text: string): StoredView {
  return {
    source: 'terminal',
    reason: '',
    linesBefore: 900,
    linesAfter: 1,
    tokensBefore: null,
    tokensAfter: null,
    tokensEstimated: false,
    sha256: sha256(text),
    elisions: [{ firstLine: 2, lastLine: 900, lines: 899, rule: 'repeat' }],
  };
}
