import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { byteMarker, looksLikeOurs, markerLine, mayLookLikeOurs } from '../../src/engine/terminal/marker.ts';

const encoder = new TextEncoder();

function may(text: string): boolean {
  const bytes = encoder.encode(`x${text}y`);
  return mayLookLikeOurs(bytes, 1, bytes.length - 1);
}

describe('the cheap test for lines in the form of ours', () => {
  const forms = [
    markerLine(3),
    byteMarker(12_345),
    '[124→9 lines · exit 3 · caveman expand cv7k3m2q4]',
    '[killed by SIGKILL]',
    '[exit 143 (SIGTERM)]',
  ];
  const blank = fc.stringMatching(/^[ \t\u00a0\u3000]{0,4}$/);

  it('passes every such line, whatever blanks stand behind it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...forms), blank, (form, after) => {
        expect(looksLikeOurs(form + after)).toBe(true);
        expect(may(form + after)).toBe(true);
      }),
    );
  });

  it('passes whatever the exact test takes', () => {
    const line = fc.string({
      unit: fc.constantFrom('[', ']', '…', ' ', '1', 'x', '→', 'caveman expand', 'é'),
    });
    fc.assert(
      fc.property(line, (text) => {
        if (looksLikeOurs(text)) expect(may(text)).toBe(true);
      }),
    );
  });

  it('lets go of lines that only begin so, without decoding them', () => {
    for (const text of [
      '[ 98%] Building C object src/x.o',
      '[INFO] done',
      '… and more',
      '',
      '[',
      'error: []',
    ]) {
      expect(may(text)).toBe(false);
    }
  });
});
