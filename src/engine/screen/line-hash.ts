import { SPACE, TAB } from './bytes.ts';
import { decodeAt, sequenceLength } from './utf8.ts';

const PRIME_A = 0x01000193; // FNV-1a
const PRIME_B = 0x5bd1e995; // MurmurHash2's multiplier
const HASH = 0x23;
const TWO_TO_21 = 1 << 21;

/** 53 bits of two independent hashes as one number. */
function joined(a: number, b: number): number {
  return (a >>> 0) * TWO_TO_21 + ((b >>> 0) & (TWO_TO_21 - 1));
}

/** Hash of bytes[start,end) with digit runs masked: counters of one kind are equal. */
export function maskedHash(bytes: Uint8Array, start: number, end: number): number {
  let a = 0x811c9dc5 | 0;
  let b = 0x9747b28c | 0;
  let inDigits = false;
  for (let i = start; i < end; i++) {
    let byte = bytes[i]!;
    const digit = byte >= 0x30 && byte <= 0x39;
    if (digit && inDigits) continue;
    inDigits = digit;
    if (digit) byte = HASH;
    a = Math.imul(a ^ byte, PRIME_A);
    b = Math.imul(b ^ byte, PRIME_B);
    b ^= b >>> 15;
  }
  return joined(a, b);
}

/**
 * Hash of the letters of bytes[start,end) (valid UTF-8) as words: bars, counters and clocks do not make a line
 * another one.
 */
export function wordHash(bytes: Uint8Array, start: number, end: number): number {
  let a = 0x811c9dc5 | 0;
  let b = 0x9747b28c | 0;
  let gap = false;
  let some = false;
  for (let i = start; i < end; ) {
    const lead = bytes[i]!;
    const length = lead < 0x80 ? 1 : Math.abs(sequenceLength(bytes, i, end)) || 1;
    const letter = lead < 0x80 ? isAsciiLetter(lead) : isLetter(decodeAt(bytes, i, length));
    if (letter) {
      if (gap && some) {
        a = Math.imul(a ^ SPACE, PRIME_A);
        b = Math.imul(b ^ SPACE, PRIME_B);
      }
      for (let k = i; k < i + length; k++) {
        a = Math.imul(a ^ bytes[k]!, PRIME_A);
        b = Math.imul(b ^ bytes[k]!, PRIME_B);
        b ^= b >>> 15;
      }
      some = true;
    }
    gap = !letter;
    i += length;
  }
  return joined(a, b);
}

function isAsciiLetter(byte: number): boolean {
  const folded = byte | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}

/** Letters by Unicode block: all but punctuation, symbols, box and block drawing, braille, private use and emoji. */
function isLetter(code: number): boolean {
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code === 0xd7 || code === 0xf7) return false;
  if (code >= 0x2000 && code < 0x2c00) return code >= 0x2100 && code < 0x2150;
  if (code >= 0x3000 && code < 0x3040) return false;
  return !(code >= 0xd800 && code < 0xf900) && code < 0x1f000;
}

/** Where trailing spaces and tabs of bytes[start,end) begin. */
export function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let to = end;
  while (to > start && (bytes[to - 1] === SPACE || bytes[to - 1] === TAB)) to--;
  return to;
}
