import { describe, expect, it } from 'vitest';
import { CavemanError } from '../../src/protocol/errors.ts';
import { decodeFrame, encodeFrame } from '../../src/protocol/frames.ts';

describe('frames', () => {
  it('gives back what was encoded, at the ends of the id range', () => {
    for (const id of [0, 1, 0x7fff_ffff, 0xffff_ffff]) {
      for (const last of [false, true]) {
        const payload = Uint8Array.from([0, 255, 10, id & 255]);
        expect(decodeFrame(encodeFrame({ id, last, payload }))).toEqual({ id, last, payload });
      }
    }
  });

  it('reads a frame that lies inside a larger buffer', () => {
    const frame = encodeFrame({ id: 7, last: true, payload: Uint8Array.from([1, 2]) });
    const larger = new Uint8Array(100).fill(9);
    larger.set(frame, 33);
    expect(decodeFrame(larger.subarray(33, 33 + frame.length)).id).toBe(7);
  });

  it('takes an empty payload', () => {
    expect(decodeFrame(Uint8Array.from([0, 0, 0, 5, 1])).payload).toHaveLength(0);
  });

  it('refuses a short header and flags it does not know', () => {
    expect(() => decodeFrame(new Uint8Array(4))).toThrow(CavemanError);
    expect(() => decodeFrame(Uint8Array.from([0, 0, 0, 1, 2]))).toThrow(/unknown frame flag/);
  });
});
