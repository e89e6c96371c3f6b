import { expect, test } from 'vitest';
import { createSelector, type LineSelection, visible } from '../../src/engine/select.ts';

function pick(select: LineSelection, lines: string[]): string[] {
  const out: string[] = [];
  const selector = createSelector(select, (bytes, start, end) => {
    out.push(new TextDecoder().decode(bytes.subarray(start, end)));
  });
  for (const line of lines) {
    if (selector.done) break;
    const bytes = new TextEncoder().encode(`>${line}`);
    selector.line(bytes, 1, bytes.length);
  }
  selector.finish();
  return out;
}
const ten = Array.from({ length: 10 }, (_, i) => `line ${i + 1}`);

test.each<[LineSelection, string[]]>([
  [{ lines: [3, 5] }, ['line 3', 'line 4', 'line 5']],
  [{ lines: [9, 99] }, ['line 9', 'line 10']],
  [{ head: 2 }, ['line 1', 'line 2']],
  [{ head: 0 }, []],
  [{ tail: 2 }, ['line 9', 'line 10']],
  [{ tail: 0 }, []],
  [{ tail: 99, lines: [8, 10] }, ['line 8', 'line 9', 'line 10']],
  [{ grep: '[37]$' }, ['line 3', 'line 7']],
  [{ grep: '[37]$', context: 1 }, ['line 2', 'line 3', 'line 4', '--', 'line 6', 'line 7', 'line 8']],
  [{ grep: '[46]$', context: 1 }, ['line 3', 'line 4', 'line 5', 'line 6', 'line 7']],
  [{ grep: 'line', lines: [4, 9], head: 3, tail: 1 }, ['line 6']],
])('%j', (select, wanted) => {
  expect(pick(select, ten)).toEqual(wanted);
});

test('a pattern that is not RE2 is one clear line', () => {
  expect(() => createSelector({ grep: '(a' }, () => {})).toThrow(/^--grep takes an RE2 pattern/);
  expect(() => createSelector({ grep: '(?=a)' }, () => {})).toThrow(/^--grep takes an RE2 pattern[^\n]*$/);
  expect(() => createSelector({ lines: [5, 3] }, () => {})).toThrow(/empty range/);
});

test('a hostile pattern is linear', () => {
  expect(pick({ grep: '(a+)+$' }, [`${'a'.repeat(5000)}b`])).toEqual([]);
});

test('controls are shown, text stays', () => {
  const show = (text: string): string => new TextDecoder().decode(visible(new TextEncoder().encode(text)));
  expect(show('a\tb\n\x1b[31m\x07é\x7f\r')).toBe('a\tb\n^[[31m^Gé^?^M');
  expect(show('\u202efdp\u009b \u{e0041}')).toBe('<U+202E>fdp<U+009B> <U+E0041>');
});
