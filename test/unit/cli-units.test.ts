import { describe, expect, it } from 'vitest';
import { age, bytes, count, duration, plural, saved } from '../../src/cli/render/units.ts';

describe('units', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [1234567, '1,234,567'],
  ])('count(%d)', (n, text) => expect(count(n)).toBe(text));

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [9741, '9.5 KiB'],
    [10_189, '10 KiB'],
    [1_048_575, '1.0 MiB'],
    [34 * 1024 ** 2, '34 MiB'],
    [1024 ** 3, '1.0 GiB'],
  ])('bytes(%d)', (n, text) => expect(bytes(n)).toBe(text));

  it.each([
    [0, '0 ms'],
    [999.4, '999 ms'],
    [999.6, '1.0 s'],
    [1400, '1.4 s'],
    [59_949, '59.9 s'],
    [59_960, '1m 00s'],
    [125_000, '2m 05s'],
    [3_600_000, '1h 00m'],
    [97_200_000, '1d 03h'],
  ])('duration(%d)', (ms, text) => expect(duration(ms)).toBe(text));

  it('age has one unit and is never negative', () => {
    expect([-5_000, 59_000, 61_000, 7_200_000, 200_000_000].map(age)).toEqual([
      '0s',
      '59s',
      '1m',
      '2h',
      '2d',
    ]);
  });

  it('saved never rounds up, and is silent where nothing was saved', () => {
    expect(saved(3880, 109)).toBe('97 %');
    expect(saved(1000, 1)).toBe('99 %');
    expect(saved(10, 10)).toBe('');
    expect(saved(null, 3)).toBe('');
    expect(saved(0, 0)).toBe('');
  });

  it('plural', () => {
    expect([0, 1, 1200].map((n) => plural(n, 'capture'))).toEqual([
      '0 captures',
      '1 capture',
      '1,200 captures',
    ]);
  });
});
