import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { TokenCounter } from '../../src/runtime/tokens/token-counter.ts';

// js-tiktoken's own encoder is the oracle.
const oracle = new Tiktoken(o200k);
const counter = new TokenCounter(o200k);

function expected(text: string): number {
  return oracle.encode(text, [], []).length;
}
function counted(text: string): number {
  return counter.count(new TextEncoder().encode(text)).tokens;
}

const words = fc.constantFrom(
  'error',
  'Überprüfung',
  'naïveté',
  '\u001b[32m',
  '====',
  '    ',
  '\t\t',
  '\r\n',
  '12345',
  '日本語',
  '👩‍👩‍👧',
  "don't",
  '<|endoftext|>',
  'camelCaseWord',
  '0xDEADBEEF',
  'a/b-c.d',
  '─────',
  'é',
  '\u200b',
  'x86_64-linux-gnu',
);

describe('token counter', () => {
  it('counts as the library does: build log and its view', () => {
    const read = (name: string): string =>
      readFileSync(new URL(`../fixtures/${name}`, import.meta.url), 'utf8');
    expect(counted(read('build.log'))).toBe(3880);
    expect(counted(read('build.expected.txt'))).toBe(109);
  });

  it('counts as the library does: words of many scripts and signs', () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        expect(counted(text)).toBe(expected(text));
      }),
      { numRuns: 300 },
    );
  });

  it('counts as the library does: any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(counted(text)).toBe(expected(text));
      }),
      { numRuns: 300 },
    );
  });

  it('counts as the library does: random letters without a blank', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-zA-Z]{50,120}$/), (text) => {
        expect(counted(text)).toBe(expected(text));
      }),
      { numRuns: 50 },
    );
  });

  it('says when a word was so long that it was counted in parts', () => {
    expect(counter.count(new TextEncoder().encode('ab'.repeat(200_000))).cut).toBe(true);
    expect(counter.count(new TextEncoder().encode('ab '.repeat(20_000))).cut).toBe(false);
  });
});
