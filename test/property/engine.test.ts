import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { expect, test } from 'vitest';
import { createProjector, project } from '../../src/engine/project.ts';
import { lowerBoundOf } from '../../src/engine/tokens.ts';
import type { Projection, ProjectOptions } from '../../src/engine/types.ts';

const base: ProjectOptions = {
  command: 'make',
  argument: '',
  stream: 'stdout',
  maxTokens: 6000,
  literal: null,
  cutShort: false,
  origin: 'capture',
  exit: 0,
  signal: null,
};
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const MARKER = /^… (\d+) lines elided \(caveman\) …$/;

const word = fc.constantFrom(
  'compiled',
  'module',
  'route_12.tsx',
  'in',
  '14ms',
  'ok',
  '0',
  '503',
  'naïve',
  '日本',
  '✓',
  '--',
  'x=0',
);
const trouble = fc.constantFrom(
  'ERROR',
  'TypeError:',
  'warning:',
  'exit status 1',
  '0 errors',
  'timeout',
  'at foo (a.js:1:2)',
);
const line = fc.array(fc.oneof({ weight: 12, arbitrary: word }, { weight: 1, arbitrary: trouble }), {
  maxLength: 9,
});
/** A run of lines alike but for a number: what folding lives on. */
const run = fc
  .tuple(line, fc.integer({ min: 1, max: 90 }))
  .map(([words, count]) => Array.from({ length: count }, (_, i) => [...words, `n${i}`, i * 7].join(' ')));
const odd = fc.constantFrom(
  '… 12 lines elided (caveman) …',
  '[9→3 lines · caveman expand cv00000000]',
  '\x1b[31mERROR\x1b[0m red',
  '10%\r20%\rdone',
  'dos\r\nlines\r',
  'up\x1b[1A\x1b[2Kagain',
  '',
  'x'.repeat(5000),
);
const documents = fc
  .array(fc.oneof({ weight: 5, arbitrary: run }, { weight: 1, arbitrary: odd.map((text) => [text]) }), {
    maxLength: 14,
  })
  .map((runs) => `${runs.flat().join('\n')}\n`);
const plainDocuments = fc
  .array(run, { minLength: 1, maxLength: 14 })
  .map((runs) => `${runs.flat().join('\n')}\n`);

test('however the bytes are cut, the projection is the same, and no exception is hidden in it', () => {
  fc.assert(
    fc.property(
      fc.oneof(documents.map(encode), fc.uint8Array({ maxLength: 3000 })),
      fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 6 }),
      fc.constantFrom<Partial<ProjectOptions>>(
        {},
        { exit: 2 },
        { origin: 'stdin' },
        { maxTokens: 300 },
        { command: 'cat a' },
      ),
      (bytes, sizes, change) => {
        const options = { ...base, ...change };
        const projector = createProjector(options);
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = sizes[i % sizes.length]!;
          projector.push(bytes.subarray(at, at + size));
          at += size;
        }
        const whole = project(bytes, options);
        expect(projector.finish()).toEqual(whole);
        expect(whole.reason).not.toBe('engine error');
      },
    ),
    { numRuns: 60 },
  );
});

test('compress: a second pass over the result changes nothing', () => {
  fc.assert(
    fc.property(documents, fc.constantFrom(6000, 400), (text, maxTokens) => {
      const options: ProjectOptions = { ...base, maxTokens, origin: 'stdin' };
      const first = project(encode(text), options).text ?? text;
      expect(project(encode(first), options).text ?? first).toBe(first);
    }),
    { numRuns: 60 },
  );
});

function markers(projection: Projection): number[] {
  return projection
    .text!.split('\n')
    .flatMap((shown) => (MARKER.exec(shown) ? [Number(MARKER.exec(shown)![1])] : []));
}

test('lines shown and lines named in markers are all lines; shown ones are the original’s, in their places', () => {
  fc.assert(
    fc.property(plainDocuments, fc.constantFrom(6000, 400), (text, maxTokens) => {
      const projection = project(encode(text), { ...base, maxTokens });
      if (projection.text === null) return;
      const lines = text.split('\n').slice(0, -1);
      expect(markers(projection)).toEqual(projection.elisions.map((elision) => elision.lines));
      const view = projection.text.split('\n').slice(0, -1);
      let number = 0;
      let gap = 0;
      for (const shown of view) {
        if (MARKER.test(shown)) {
          expect(projection.elisions[gap]!.firstLine).toBe(number + 1);
          number = projection.elisions[gap++]!.lastLine;
        } else expect(shown).toBe(lines[number++]);
      }
      expect(number).toBe(lines.length);
    }),
    { numRuns: 60 },
  );
});

/** Says of itself that it passed, so that an error's name in it is no failure. */
const PASSED = /^(?:✓|ok \d)| ok$/;

test('within the budget every line with ERROR is shown', () => {
  fc.assert(
    fc.property(plainDocuments, (text) => {
      const projection = project(encode(text), { ...base, maxTokens: 1_000_000 });
      if (projection.text === null) return;
      const count = (all: string): number =>
        all.split('\n').filter((one) => /\bERROR\b/.test(one) && !PASSED.test(one)).length;
      expect(count(projection.text)).toBe(count(text));
    }),
    { numRuns: 50 },
  );
});

test('the lower bound never over-counts o200k_base tokens', () => {
  const tokenizer = new Tiktoken(o200k);
  const piece = fc.oneof(
    word,
    trouble,
    fc.constantFrom(
      ' ',
      '  ',
      '\t',
      '\n',
      '\r\n',
      '\n\n',
      "it's",
      "don'test",
      '((…((',
      '_',
      './',
      '…foo',
      '\u00a0',
      '\u3000  ',
    ),
    fc.string({ maxLength: 12 }),
    fc.string({ maxLength: 8, unit: 'grapheme' }),
    fc.stringMatching(/^[a-zA-Z' 0-9/=.-]{0,24}$/),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }).map((parts) => parts.join('')),
      (text) => {
        expect(lowerBoundOf(text)).toBeLessThanOrEqual(tokenizer.encode(text, [], []).length);
      },
    ),
    { numRuns: 600 },
  );
});
