import { describe, expect, it } from 'vitest';
import { outcome, tokenLine } from '../../src/cli/render/capture.ts';
import { paintFor } from '../../src/cli/render/paint.ts';

describe('a capture in a listing', () => {
  it('shows how it ended in one word', () => {
    expect(outcome({ exit: 3, signal: null })).toBe('3');
    expect(outcome({ exit: 137, signal: 'SIGKILL' })).toBe('KILL');
    expect(outcome({ exit: null, signal: null })).toBe('?');
  });

  it('labels counts that are estimated, and admits what is not known', () => {
    expect(tokenLine(3880, 109, false)).toBe('3,880 → 109 (97 % saved)');
    expect(tokenLine(14_000_000, 138, true)).toBe('~14,000,000 → ~138 (99 % saved)');
    expect(tokenLine(20, 20, false)).toBe('20 → 20');
    expect(tokenLine(null, null, false)).toBe('not counted yet');
  });
});

describe('colour', () => {
  it.each([
    [true, {}, true],
    [true, { NO_COLOR: '' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('terminal %s, environment %j: %s', (isTTY, env, coloured) => {
    expect(paintFor({ isTTY }, env)('red', 'x') !== 'x').toBe(coloured);
    expect(paintFor({ isTTY }, env)('red', '')).toBe('');
  });
});
