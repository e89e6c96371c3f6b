import type { Sequence } from './sequence.ts';

/** CSI final bytes that move the cursor or edit: @ A–M P S T X Z ` a b d e f k r s u. */
export const EDITING = new Set(Array.from('@ABCDEFGHIJKLMPSTXZ`abdefkrsu', (c) => c.charCodeAt(0)));

/** Sets or resets modes (final byte h or l). */
export function isMode(sequence: Sequence): boolean {
  return sequence.op === 0x68 || sequence.op === 0x6c;
}

/** Modes 47, 1047 and 1049 switch to the alternate screen and back. */
export function isAlternateMode(sequence: Sequence): boolean {
  const { first, second, prefix } = sequence;
  return prefix === 0x3f && [first, second].some((mode) => mode === 47 || mode === 1047 || mode === 1049);
}

/** Private sequences with a final byte of an editing one mean something else, but for ?J and ?K. */
export function isForeignPrivate(sequence: Sequence): boolean {
  return (
    sequence.prefix !== 0 && !(sequence.prefix === 0x3f && (sequence.op === 0x4a || sequence.op === 0x4b))
  );
}

/** ESC 7, 8 (save, restore), D (index), E (next line), M (reverse index), c (reset). */
export function isMovingEscape(op: number): boolean {
  return op === 0x37 || op === 0x38 || op === 0x44 || op === 0x45 || op === 0x4d || op === 0x63;
}
