import { describe, expect, it } from 'vitest';
import { cutLongRuns } from '../../src/runtime/tokens/long-runs.ts';
import { EXACT_BYTES, PIECE_BYTES, Sampler, sampleOf } from '../../src/runtime/tokens/sampler.ts';

function bytes(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) & 255);
}

describe('samples', () => {
  it('hold all of a text up to the exact limit', () => {
    const text = bytes(EXACT_BYTES);
    const { totalBytes, pieces } = sampleOf(text);
    expect(totalBytes).toBe(EXACT_BYTES);
    expect(Buffer.concat(pieces).equals(text)).toBe(true);
    expect(sampleOf(new Uint8Array(0))).toEqual({ totalBytes: 0, pieces: [] });
  });

  it('of a longer text are evenly spaced, with its first and its last bytes, in bounded memory', () => {
    const text = bytes(3_000_001);
    const { totalBytes, pieces } = sampleOf(text);
    expect(totalBytes).toBe(text.length);
    expect(pieces.map((piece) => piece.length)).toEqual(Array.from({ length: 32 }, () => PIECE_BYTES));
    expect(Buffer.from(pieces[0] ?? []).equals(text.subarray(0, PIECE_BYTES))).toBe(true);
    expect(Buffer.from(pieces.at(-1) ?? []).equals(text.subarray(-PIECE_BYTES))).toBe(true);
  });

  it('do not depend on how the text was cut', () => {
    const text = bytes(1_000_003);
    for (const step of [1000, 8191, 70_000, 999_999]) {
      const sampler = new Sampler(text.length);
      for (let at = 0; at < text.length; at += step) sampler.push(text.subarray(at, at + step));
      const { pieces } = sampler.sample();
      expect(Buffer.concat(pieces).equals(Buffer.concat(sampleOf(text).pieces))).toBe(true);
    }
  });

  it('of a stream that ended early are what was there', () => {
    const sampler = new Sampler(100);
    sampler.push(bytes(40));
    expect(sampler.sample()).toEqual({ totalBytes: 40, pieces: [bytes(40)] });
  });
});

describe('long runs', () => {
  it('leave a normal text whole', () => {
    const text = 'a line of words, 12345, and signs: =====\n'.repeat(500);
    expect(cutLongRuns(text)).toEqual([text]);
  });

  it('are cut, losing nothing and splitting no surrogate pair', () => {
    for (const text of ['x'.repeat(5000), ' '.repeat(2500), '='.repeat(1001), '𝒳'.repeat(1500)]) {
      const parts = cutLongRuns(text);
      expect(parts.length).toBeGreaterThan(1);
      expect(parts.join('')).toBe(text);
      for (const part of parts) expect(part).toBe(part.toWellFormed());
    }
  });
});
