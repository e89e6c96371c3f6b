import { describe, expect, it } from 'vitest';
import type { CavemanError } from '../../src/protocol/errors.ts';
import { ownArchive, store } from './archive-fixture.ts';

function failure(call: () => unknown): CavemanError {
  try {
    call();
  } catch (error) {
    return error as CavemanError;
  }
  throw new Error('the call succeeded');
}

describe('resolving a handle', () => {
  it('takes a full handle as a person may type it', async () => {
    const { archive } = ownArchive();
    const { handle } = await store(archive, { stdout: 'x' });
    expect(archive.resolve(` ${handle.toUpperCase()} `, { prefix: false })).toBe(handle);
  });

  it('takes a unique prefix only where prefixes are allowed', async () => {
    const { archive } = ownArchive();
    const { handle } = await store(archive, { stdout: 'x' });
    const prefix = handle.slice(0, 6);
    expect(archive.resolve(prefix, { prefix: true })).toBe(handle);
    expect(failure(() => archive.resolve(prefix, { prefix: false })).code).toBe('unknown-handle');
  });

  it('names the candidates of an ambiguous prefix', async () => {
    const { archive } = ownArchive();
    const handles = new Set<string>();
    for (let i = 0; i < 40; i++) handles.add((await store(archive, { stdout: `${i}` })).handle);
    const error = failure(() => archive.resolve('cv', { prefix: true }));
    expect(error.code).toBe('unknown-handle');
    // Of 40 handles two begin with the same character: there are only 32.
    const starts = [...handles].map((h) => h.slice(0, 3));
    const shared = starts.find((s, i) => starts.indexOf(s) !== i)!;
    const ambiguous = failure(() => archive.resolve(shared, { prefix: true }));
    expect(ambiguous.code).toBe('ambiguous-handle');
    expect(ambiguous.suggestions.every((s) => handles.has(s) && s.startsWith(shared))).toBe(true);
    expect(ambiguous.suggestions.length).toBeGreaterThan(1);
  });

  it('suggests the handle that a misspelt one meant', async () => {
    const { archive } = ownArchive();
    const { handle } = await store(archive, { stdout: 'x' });
    const wrong = handle[5] === '7' ? '8' : '7';
    const misspelt = [
      handle.slice(0, 5) + wrong + handle.slice(6),
      handle.slice(0, 5) + handle.slice(6),
      `${handle}${wrong}`,
      handle.slice(0, 4) + handle[5] + handle[4] + handle.slice(6),
    ].filter((text) => text !== handle);
    for (const text of misspelt) {
      const error = failure(() => archive.resolve(text, { prefix: false }));
      expect([error.code, error.suggestions[0]]).toEqual(['unknown-handle', handle]);
      expect(error.message).not.toContain('\n');
    }
  });

  it('tells a forgotten handle from an unknown one, also by prefix', async () => {
    const { archive } = ownArchive();
    const { handle } = await store(archive, { stdout: 'x' });
    await archive.forget(handle);
    expect(failure(() => archive.resolve(handle, { prefix: false })).code).toBe('forgotten-handle');
    expect(failure(() => archive.resolve(handle.slice(0, 7), { prefix: true })).code).toBe(
      'forgotten-handle',
    );
    expect(failure(() => archive.resolve('', { prefix: true })).code).toBe('unknown-handle');
  });
});
