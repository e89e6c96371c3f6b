import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/cli/render/errors.ts';
import { CavemanError } from '../../src/protocol/errors.ts';

describe('failureOf', () => {
  it('adds near matches once, at most three', () => {
    const error = new CavemanError('unknown-handle', 'no handle cvx', ['cva', 'cvb', 'cvc', 'cvd']);
    expect(failureOf(error)).toEqual({ message: 'no handle cvx (did you mean cva, cvb, cvc?)', exit: 1 });
    const named = new CavemanError('ambiguous-handle', 'cv1 is cv12 or cv13', ['cv12', 'cv13']);
    expect(failureOf(named).message).toBe('cv1 is cv12 or cv13');
  });

  it.each([
    ['forgotten-handle', 1],
    ['bad-request', 2],
    ['archive-full', 125],
    ['daemon-down', 125],
  ] as const)('%s exits with %d', (code, exit) => {
    expect(failureOf(new CavemanError(code, 'x')).exit).toBe(exit);
  });

  it('is silent about a reader that has gone', () => {
    expect(failureOf(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))).toEqual({
      message: '',
      exit: 141,
    });
  });

  it('stays one line with any other error, and names a next step', () => {
    const { message, exit } = failureOf(new Error('first\nsecond\x1b[31m'));
    expect(message).toBe('first ⏎ second\\x1b[31m; see: caveman doctor');
    expect(exit).toBe(125);
  });
});
