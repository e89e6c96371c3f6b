/** The one line that stands for a gap. `lines` ≥ 1. The wording is part of the product: agents and `--gap` read it. */
export function markerLine(lines: number): string {
  return `… ${lines} lines elided (caveman) …`;
}

/** Stands inside a long line for what was cut out of it; not a gap. `bytes` of the cleaned line. */
export function byteMarker(bytes: number): string {
  return `… ${bytes.toLocaleString('en-US')} bytes elided (caveman) …`;
}

const MARKER = /^… \d[\d,]* lines elided \(caveman\) …$/;
const OWN_FORM =
  /^(?:… \d[\d,]* (?:lines|bytes) elided \(caveman\) …\s*$|\[.*caveman expand.*\]\s*$|\[\d+→\d+ lines\b.*\]\s*$|\[killed(?: by|:).*\]\s*$|\[exit \d+ \(SIG[A-Z0-9]+\)\]\s*$)/;
/** No form of ours is longer; longer lines need not be looked at. */
const MAX_FORM_CHARS = 600;

/** True for a marker line of an earlier pass, in its exact form. */
export function isMarkerLine(text: string): boolean {
  return text.startsWith('… ') && MARKER.test(text);
}

/** True for a line that a reader could take for a marker, footer or note of ours. */
export function looksLikeOurs(text: string): boolean {
  const first = text.charCodeAt(0);
  if ((first !== 0x5b && first !== 0x2026) || text.length > MAX_FORM_CHARS) return false;
  return OWN_FORM.test(text);
}

/** The same line, told apart from ours. */
export function quoted(text: string): string {
  return `│ ${text}`;
}

/** A line in the form of ours is never longer in bytes; how a longer one ends says nothing. */
const MAX_FORM_BYTES = 3 * MAX_FORM_CHARS;

/** Cheap test on bytes before a line is decoded: begins with `[` or `…`, and ends with `]` or beyond ASCII. */
export function mayLookLikeOurs(bytes: Uint8Array, start: number, end: number): boolean {
  if (end <= start) return false;
  const first = bytes[start];
  if (first !== 0x5b && !(first === 0xe2 && bytes[start + 1] === 0x80 && bytes[start + 2] === 0xa6))
    return false;
  if (end - start > MAX_FORM_BYTES) return true;
  let last = end - 1;
  while (last > start && bytes[last]! <= 0x20) last--;
  return bytes[last] === 0x5d || bytes[last]! >= 0x80;
}
