import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candidateAt } from '../../src/engine/terminal/candidate.ts';
import { findImportant, importanceOf, NOTHING } from '../../src/engine/terminal/importance.ts';
import {
  ERROR_VOCABULARY,
  HINT_VOCABULARY,
  STATUS_VOCABULARY,
  WARNING_VOCABULARY,
} from '../../src/engine/terminal/vocabulary.ts';

const words = [ERROR_VOCABULARY, WARNING_VOCABULARY, HINT_VOCABULARY, STATUS_VOCABULARY].flat();
const encoder = new TextEncoder();

/** Texts that patterns match: words in either case, shapes, places, and what may stand around them. */
const piece = fc.oneof(
  fc.constantFrom(...words).chain((word) => fc.stringMatching(new RegExp(`^(?:${word})$`))),
  fc
    .constantFrom(...words)
    .chain((word) => fc.stringMatching(new RegExp(`^(?:${word})$`)))
    .map((word) => word.toUpperCase()),
  fc.constantFrom('TypeError', 'my_Exception', 'OOMKilled', 'CrashLoopBackOff', 'ErrNotFound', 'SIGSEGV'),
  fc.constantFrom('E0308', 'e404', 'TS2322:', 'CVE-2024-1', '✗', '✘', '❌', '✖', '×', '●', '-->', '--->'),
  fc.constantFrom('>>>', 'at', 'File "', 'main.go:3', 'a.c:1:2:', 'f):1:2:', '.c99:1:2:', 'E', '10:20:30:'),
  fc.constantFrom(' ', ' ', '  ', '\t', '\u00a0', '\u2003', '\u3000', '\ufeff', ':', '_', '0', '1', 'é', '€'),
  fc.string({ maxLength: 4 }),
);
const line = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('').replace(/[\n\r\v\f]/g, ''));

test('where the byte scan finds nothing, no pattern matches', () => {
  fc.assert(
    fc.property(line, (text) => {
      const bytes = encoder.encode(text);
      if (candidateAt(bytes, 0, 0, bytes.length) >= 0) return;
      const decoded = new TextDecoder().decode(bytes);
      expect(importanceOf(decoded)).toEqual(NOTHING);
      expect(findImportant(decoded, 0)).toBeNull();
    }),
    { numRuns: 3000 },
  );
});

test('the first candidate stands at or before the first word that matters', () => {
  fc.assert(
    fc.property(line, (text) => {
      const decoded = new TextDecoder().decode(encoder.encode(text));
      const hit = findImportant(decoded, 0);
      if (!hit) return;
      const bytes = encoder.encode(decoded);
      const at = candidateAt(bytes, 0, 0, bytes.length);
      expect(at).toBeGreaterThanOrEqual(0);
      // An identifier is found at the end that tells: the match begins at most a character earlier.
      expect(at).toBeLessThanOrEqual(encoder.encode(decoded.slice(0, hit.at + 1)).length);
    }),
    { numRuns: 2000 },
  );
});
