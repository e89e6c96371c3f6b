import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { factsOf, MIB, ownArchive, readAll } from '../unit/archive-fixture.ts';

/** Sizes around the chunk size matter more than content. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 2000 }),
  fc
    .tuple(
      fc.constantFrom(262_143, 262_144, 262_145, 524_288, 600_001),
      fc.uint8Array({ minLength: 1, maxLength: 300 }),
    )
    .map(([length, pattern]) => Uint8Array.from({ length }, (_, i) => pattern[i % pattern.length]!)),
);

describe('any stream', () => {
  it('comes back as it was, however it was cut', async () => {
    const { archive } = ownArchive();
    await fc.assert(
      fc.asyncProperty(
        bytes,
        bytes,
        fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1 }),
        async (out, err, cuts) => {
          const writer = archive.writer();
          const rest = { stdout: Buffer.from(out), stderr: Buffer.from(err) };
          for (let i = 0; rest.stdout.length > 0 || rest.stderr.length > 0; i++) {
            for (const name of ['stdout', 'stderr'] as const) {
              const piece = Buffer.from(rest[name].subarray(0, cuts[i % cuts.length]));
              rest[name] = rest[name].subarray(piece.length);
              await writer.write(name, piece);
              // The writer must not keep what it was given.
              piece.fill(0);
            }
          }
          const { handle, streams } = await writer.seal(factsOf());
          expect(readAll(archive, handle).equals(out)).toBe(true);
          expect(readAll(archive, handle, 'stderr').equals(err)).toBe(true);
          expect(streams[0]?.sha256).toBe(createHash('sha256').update(out).digest('hex'));
        },
      ),
      { numRuns: 40 },
    );
    await archive.close();
  });

  it('leaves no byte stored when everything is forgotten', async () => {
    const { archive } = ownArchive({ maxBytes: 8 * MIB });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 12 })), { maxLength: 6 }),
        async (made) => {
          const handles = new Set<string>();
          for (const [seed, quarters] of made) {
            const writer = archive.writer();
            const piece = Buffer.alloc(MIB / 4, seed);
            for (let i = 0; i < quarters; i++) await writer.write(i % 3 === 0 ? 'stderr' : 'stdout', piece);
            handles.add((await writer.seal(factsOf())).handle);
          }
          for (const handle of handles) await archive.forget(handle);
          const { captures, bytes: left } = archive.status();
          expect(captures).toBe(0);
          expect(left).toBeLessThan(MIB / 4);
        },
      ),
      { numRuns: 15 },
    );
  });
});
