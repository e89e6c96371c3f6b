import { expect, test } from 'vitest';
import { type FooterFacts, footer, signalName } from '../../src/engine/footer.ts';
import type { Projection } from '../../src/engine/types.ts';

const literal: Projection = {
  source: 'literal',
  reason: 'short',
  text: null,
  elisions: [],
  linesBefore: 4,
  linesAfter: 4,
  bytesBefore: 40,
};
const terminal: Projection = { ...literal, source: 'terminal', text: 'x\n', linesBefore: 124, linesAfter: 9 };
const facts: FooterFacts = { handle: 'cv7k3m2q4', launcher: 'caveman', exit: 0, signal: null };

test.each<[string, Partial<FooterFacts>, string, string]>([
  ['success', {}, '', '[124→9 lines · caveman expand cv7k3m2q4]'],
  ['failure', { exit: 3 }, '', '[124→9 lines · exit 3 · caveman expand cv7k3m2q4]'],
  [
    'certain signal',
    { exit: 137, signal: 'SIGKILL' },
    '[killed by SIGKILL]',
    '[124→9 lines · killed by SIGKILL · caveman expand cv7k3m2q4]',
  ],
  [
    'status of a signal',
    { exit: 143 },
    '[exit 143 (SIGTERM)]',
    '[124→9 lines · exit 143 (SIGTERM) · caveman expand cv7k3m2q4]',
  ],
  ['no such signal', { exit: 160 }, '', '[124→9 lines · exit 160 · caveman expand cv7k3m2q4]'],
  [
    'unseen end',
    { exit: null },
    '[killed: nobody saw the command end]',
    '[124→9 lines · killed: nobody saw the command end · caveman expand cv7k3m2q4]',
  ],
  [
    'launcher off the path',
    { launcher: "/home/o'b c/caveman" },
    '',
    "[124→9 lines · '/home/o'\\''b c/caveman' expand cv7k3m2q4]",
  ],
])('%s', (_name, change, whole, elided) => {
  expect(footer(literal, { ...facts, ...change })).toBe(whole);
  expect(footer({ ...literal, source: 'cleaned', text: 'x' }, { ...facts, ...change })).toBe(whole);
  expect(footer(terminal, { ...facts, ...change })).toBe(elided);
});

test('signal names', () => {
  expect([9, 15, 24, 5, 0].map(signalName)).toEqual(['SIGKILL', 'SIGTERM', 'SIGXCPU', null, null]);
});
