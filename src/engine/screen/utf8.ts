/**
 * Length of the UTF-8 sequence that starts at `i`, by Unicode's table of well-formed sequences:
 * 1–4 when it is well-formed; −n for a bad maximal subpart of n bytes (what a decoder replaces by one U+FFFD);
 * 0 when the bytes end in the middle of what may still become well-formed.
 */
export function sequenceLength(bytes: Uint8Array, i: number, end: number): number {
  const lead = bytes[i]!;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return -1;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (i + 1 >= end) return 0;
  const second = bytes[i + 1]!;
  if (second < lowestSecond(lead) || second > highestSecond(lead)) return -1;
  for (let k = 2; k < length; k++) {
    if (i + k >= end) return 0;
    if ((bytes[i + k]! & 0xc0) !== 0x80) return -k;
  }
  return length;
}

// No overlong forms (E0, F0), no surrogates (ED), nothing above U+10FFFF (F4).
function lowestSecond(lead: number): number {
  return lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
}
function highestSecond(lead: number): number {
  return lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
}

/** Code point of a well-formed sequence of `length` bytes. */
export function decodeAt(bytes: Uint8Array, i: number, length: number): number {
  const lead = bytes[i]!;
  if (length === 1) return lead;
  if (length === 2) return ((lead & 0x1f) << 6) | (bytes[i + 1]! & 0x3f);
  if (length === 3) return ((lead & 0x0f) << 12) | ((bytes[i + 1]! & 0x3f) << 6) | (bytes[i + 2]! & 0x3f);
  return (
    ((lead & 0x07) << 18) |
    ((bytes[i + 1]! & 0x3f) << 12) |
    ((bytes[i + 2]! & 0x3f) << 6) |
    (bytes[i + 3]! & 0x3f)
  );
}

/** Writes a code point at `at` (room for 4 bytes is the caller's duty); returns the index after it. */
export function encodeAt(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) {
    bytes[at] = code;
    return at + 1;
  }
  if (code < 0x800) {
    bytes[at] = 0xc0 | (code >> 6);
    bytes[at + 1] = 0x80 | (code & 0x3f);
    return at + 2;
  }
  if (code < 0x10000) {
    bytes[at] = 0xe0 | (code >> 12);
    bytes[at + 1] = 0x80 | ((code >> 6) & 0x3f);
    bytes[at + 2] = 0x80 | (code & 0x3f);
    return at + 3;
  }
  bytes[at] = 0xf0 | (code >> 18);
  bytes[at + 1] = 0x80 | ((code >> 12) & 0x3f);
  bytes[at + 2] = 0x80 | ((code >> 6) & 0x3f);
  bytes[at + 3] = 0x80 | (code & 0x3f);
  return at + 4;
}

/**
 * Code points that change how a text is read without being seen: bidi embeddings, overrides and isolates
 * (U+202A–202E, U+2066–2069; Unicode TR 36) and tag characters (U+E0000–E007F). The view shows them as
 * `<U+202E>`: upper-case hex digits, at least four.
 */
export function isHidden(code: number): boolean {
  return (
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    (code >= 0xe0000 && code <= 0xe007f)
  );
}

/** The visible form of a hidden code point. */
export function hiddenForm(code: number): string {
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
