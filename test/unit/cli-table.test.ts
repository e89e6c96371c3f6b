import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { oneLine, truncate } from '../../src/cli/render/plain.ts';
import { facts, table } from '../../src/cli/render/table.ts';

describe('table', () => {
  it('aligns columns by display width and leaves empty ones out', () => {
    const text = table(
      [{ title: 'A' }, { title: 'N', align: 'right' }, { title: 'GONE' }, { title: 'LAST' }],
      [
        ['日本', '7', '', 'x'],
        ['b', '1,200', '', 'y'],
      ],
      80,
    );
    expect(text).toBe('A         N  LAST\n日本      7  x\nb     1,200  y\n');
  });

  it('cuts only the last column, to the width given', () => {
    const text = table([{ title: 'H' }, { title: 'C' }], [['h', 'c'.repeat(300)]], 40);
    const [, row = ''] = text.split('\n');
    expect(stringWidth(row)).toBe(40);
    expect(row.endsWith('…')).toBe(true);
  });

  it('facts align names, indent further lines, leave empty values out', () => {
    expect(
      facts([
        ['a', '1\n2'],
        ['none', ''],
        ['long', 'x'],
      ]),
    ).toBe('a     1\n      2\nlong  x\n');
  });
});

describe('truncate', () => {
  it('never goes over the width, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 1, max: 40 }),
        (text, width) => {
          const clean = oneLine(text);
          const cut = truncate(clean, width);
          expect(stringWidth(cut)).toBeLessThanOrEqual(width);
          if (stringWidth(clean) <= width) expect(cut).toBe(clean);
        },
      ),
    );
  });
});

describe('oneLine', () => {
  it('shows what would steer a terminal, and joins lines', () => {
    expect(oneLine('a\n  b\tc')).toBe('a ⏎ b c');
    expect(oneLine('x\x1b[2J\x07\u202ey')).toBe('x\\x1b[2J\\x07\\u{202e}y');
  });

  it('gives nothing below blank, no bidi override, no tag character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(oneLine(text)).not.toMatch(
          /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/u,
        );
      }),
    );
  });
});
