import stringWidth from 'string-width';

/** Code points up to here take one column each. */
const NARROW_BELOW = 0x300;
let cache: Int8Array | null = null;

/** Columns of one code point in a terminal: 0 (combining), 1 or 2 (East Asian wide, emoji). */
export function columnsOf(code: number): number {
  if (code < NARROW_BELOW) return 1;
  cache ??= new Int8Array(0x110000).fill(-1);
  let width = cache[code]!;
  if (width < 0) {
    width = Math.min(2, stringWidth(String.fromCodePoint(code)));
    cache[code] = width;
  }
  return width;
}
