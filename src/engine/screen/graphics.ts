/** DEC special graphics (VT100 set 0), characters 0x60–0x7E: line drawing. */
const GRAPHICS = Array.from('◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·', (c) => c.codePointAt(0)!);

/** What an ASCII character shows as while the line-drawing set is selected. */
export function graphicOf(code: number): number {
  return code >= 0x60 && code <= 0x7e ? GRAPHICS[code - 0x60]! : code;
}
