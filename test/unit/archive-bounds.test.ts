import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  codeOf,
  DAY_MS,
  factsOf,
  MIB,
  noise,
  ownArchive,
  readAll,
  store,
  TestClock,
} from './archive-fixture.ts';

/** Small enough to fill quickly; an eighth is 1 MiB, the reserve half a MiB. */
const BOUND = { maxBytes: 8 * MIB };
const HALF = MIB / 2;

describe('the bounds of the archive', () => {
  it('evicts the oldest first when room is needed, and keeps their handles bound', async () => {
    const { archive } = ownArchive(BOUND);
    const made = [];
    for (let i = 0; i < 24; i++) made.push(await store(archive, { stdout: noise(HALF, i) }));
    expect(archive.status().bytes).toBeLessThanOrEqual(BOUND.maxBytes);
    const alive = [];
    for (const { handle } of made)
      alive.push((await codeOf(() => archive.resolve(handle, { prefix: false }))) === '');
    expect(alive.indexOf(true)).toBeGreaterThan(5);
    expect(alive.lastIndexOf(false)).toBe(alive.indexOf(true) - 1);
    const [first] = made;
    expect(await codeOf(() => readAll(archive, first!.handle))).toBe('forgotten-handle');
    const again = await store(archive, { stdout: noise(HALF, 0) });
    expect(again.handle).toBe(first!.handle);
    expect(readAll(archive, again.handle).equals(noise(HALF, 0))).toBe(true);
  });

  it('never evicts what is pinned or was shown in the last 24 hours; then it refuses', async () => {
    const { archive, clock } = ownArchive(BOUND);
    const pinned = await store(archive, { stdout: noise(HALF, 100) });
    await archive.pin(pinned.handle, true);
    const shown: string[] = [];
    for (let i = 0; i < 30; i++) {
      clock.ms++;
      const code = await codeOf(async () => {
        const made = await store(archive, { stdout: noise(HALF, i) });
        await archive.markShown(made.handle, clock.ms);
        shown.push(made.handle);
      });
      if (code !== '') expect(code).toBe('archive-full');
    }
    expect(shown.length).toBeGreaterThan(10);
    expect(archive.status()).toMatchObject({ refused: 30 - shown.length, pinned: 1 });
    expect(archive.list({ limit: 100 })).toHaveLength(shown.length + 1);
    clock.ms += DAY_MS + 1;
    await store(archive, { stdout: noise(HALF, 50) });
    expect(await codeOf(() => archive.resolve(shown[0]!, { prefix: false }))).toBe('forgotten-handle');
    expect(archive.resolve(pinned.handle, { prefix: false })).toBe(pinned.handle);
    await archive.pin(pinned.handle, false);
    expect(archive.status().pinned).toBe(0);
  });

  it('evicts literal captures before older ones', async () => {
    const { archive } = ownArchive(BOUND);
    const oldest = await store(archive, { stdout: noise(HALF, 1) });
    const flags = { killed: false, raw: false, literal: true };
    const literal = await store(archive, { stdout: noise(HALF, 2) }, { flags });
    for (let i = 3; archive.status().captures === i - 1; i++)
      await store(archive, { stdout: noise(HALF, i) });
    expect(await codeOf(() => archive.resolve(literal.handle, { prefix: false }))).toBe('forgotten-handle');
    expect(archive.resolve(oldest.handle, { prefix: false })).toBe(oldest.handle);
  });

  it('keeps the first and last part of a capture that is too large, and says what is lost', async () => {
    const { archive } = ownArchive(BOUND);
    const out = noise(5 * MIB + 1000, 7);
    const { handle, streams } = await store(archive, { stdout: out });
    const lost = streams[0]!.lost!;
    expect(streams[0]).toMatchObject({ bytes: out.length });
    expect(lost.from).toBe(MIB);
    expect(out.length - lost.to).toBeLessThanOrEqual(MIB);
    expect(out.length - lost.to).toBeGreaterThan(MIB / 2);
    const kept = readAll(archive, handle);
    expect(kept.equals(Buffer.concat([out.subarray(0, lost.from), out.subarray(lost.to)]))).toBe(true);
    expect(archive.status().bytes).toBeLessThan(3 * MIB);
    expect(streams[0]!.sha256).toBe(createHash('sha256').update(out).digest('hex'));
  });

  it('shares the part of one capture between its streams', async () => {
    const { archive } = ownArchive(BOUND);
    const writer = archive.writer();
    for (let i = 0; i < 16; i++) {
      await writer.write('stdout', noise(MIB / 4, i));
      await writer.write('stderr', noise(MIB / 4, 100 + i));
    }
    const { streams } = await writer.seal(factsOf());
    const kept = streams.reduce((sum, s) => sum + s.bytes - (s.lost!.to - s.lost!.from), 0);
    expect(kept).toBeLessThanOrEqual(2 * MIB);
    expect(kept).toBeGreaterThan(MIB);
  });

  it('leaves the end of the quota to small captures', async () => {
    const { archive, clock } = ownArchive({ maxBytes: 16 * MIB });
    const shown = async (bytes: number, seed: number) => {
      const { handle } = await store(archive, { stdout: noise(bytes, seed) });
      await archive.markShown(handle, clock.ms);
    };
    let refusal = '';
    for (let i = 0; i < 40 && refusal === ''; i++) refusal = await codeOf(() => shown(MIB + 1000, i));
    expect(refusal).toBe('archive-full');
    expect(await codeOf(() => shown(MIB / 2, 1000))).toBe('');
  });

  it('forgets all captures of a handle and their bytes, and only those', async () => {
    const { archive } = ownArchive();
    const shared = noise(MIB, 1);
    const one = await store(archive, { stdout: shared });
    await store(archive, { stdout: shared });
    const other = await store(archive, { stdout: shared, stderr: 'x' });
    expect(await archive.forget(one.handle)).toEqual({ captures: 2, freedBytes: 0 });
    expect(await codeOf(() => archive.resolve(one.handle, { prefix: false }))).toBe('forgotten-handle');
    expect(readAll(archive, other.handle).equals(shared)).toBe(true);
    expect(await archive.forget(other.handle)).toEqual({ captures: 1, freedBytes: MIB + 1 });
    expect(await codeOf(() => archive.forget(other.handle))).toBe('forgotten-handle');
  });

  it('collects what is past its age', async () => {
    const { archive, clock } = ownArchive();
    const old = await store(archive, { stdout: 'old\n' }, { startedAtMs: clock.ms });
    const kept = await store(archive, { stdout: 'kept\n' }, { startedAtMs: clock.ms + 1 });
    await archive.pin(kept.handle, true);
    clock.ms += 31 * DAY_MS;
    const fresh = await store(archive, { stdout: 'fresh\n' }, { startedAtMs: clock.ms });
    expect(await archive.gc(clock.ms)).toEqual({ captures: 1, blobs: 1, freedBytes: 4 });
    expect(archive.list({ limit: 9 }).map((c) => c.handle)).toEqual([fresh.handle, kept.handle]);
    expect(await codeOf(() => archive.captures(old.handle))).toBe('forgotten-handle');
  });

  it('takes old captures of a live handle away one by one', async () => {
    const clock = new TestClock();
    const { archive } = ownArchive({}, clock);
    await store(archive, { stdout: 'same\n' }, { startedAtMs: clock.ms });
    clock.ms += 31 * DAY_MS;
    const { handle } = await store(archive, { stdout: 'same\n' }, { startedAtMs: clock.ms });
    expect(await archive.gc(clock.ms)).toEqual({ captures: 1, blobs: 0, freedBytes: 0 });
    expect(readAll(archive, handle).toString()).toBe('same\n');
  });
});
