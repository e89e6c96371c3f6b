import {
  ERROR_VOCABULARY,
  HINT_VOCABULARY,
  literalBeginning,
  SHAPE_BEGINNINGS,
  STATUS_VOCABULARY,
  WARNING_VOCABULARY,
} from './vocabulary.ts';

const LETTER = 1;
const DIGIT = 2;
const SIGN_LEAD = 3; // first byte of a sign that matters, or of one that may
const COLON = 0x3a;
const CLASS = new Uint8Array(256);
for (let b = 0; b < 256; b++) {
  if ((b >= 65 && b <= 90) || (b >= 97 && b <= 122) || b === 95) CLASS[b] = LETTER;
  else if (b >= 48 && b <= 57) CLASS[b] = DIGIT;
}
CLASS[0xe2] = SIGN_LEAD;
CLASS[COLON] = COLON;

/** Longest beginning that is compared; the regular expressions look at the rest. */
const MAX_BEGINNING = 5;
/** Beginnings (case folded) by the low five bits of their first three bytes. */
const byThree: (readonly Uint8Array[] | undefined)[] = new Array(1 << 15).fill(undefined);
const encoder = new TextEncoder();
for (const piece of [
  ...[ERROR_VOCABULARY, WARNING_VOCABULARY, HINT_VOCABULARY, STATUS_VOCABULARY].flat().map(literalBeginning),
  ...SHAPE_BEGINNINGS,
]) {
  const bytes = encoder.encode(piece.slice(0, MAX_BEGINNING)).map((b) => b | 0x20);
  for (let third = 0; third < 32; third++) {
    if (bytes.length > 2 && third !== (bytes[2]! & 31)) continue;
    const key = ((bytes[0]! & 31) << 10) | ((bytes[1]! & 31) << 5) | third;
    byThree[key] = [...(byThree[key] ?? []), bytes];
  }
}
const MAY_BEGIN = Uint8Array.from(byThree, (list) => (list ? 1 : 0));

/**
 * First position in bytes[from, end) at which a pattern of `importance.ts` may match, or −1: then none does.
 * May name too many places, never too few. `start` is where the line begins. Linear, a few operations a byte.
 */
export function candidateAt(bytes: Uint8Array, start: number, from: number, end: number): number {
  if (from === start) {
    const first = placeAtStart(bytes, start, end);
    if (first >= 0) return first;
  }
  let i = from;
  // In the middle of a word none begins; it may still end in a telling way.
  let inside = from > start && isWord(bytes[from - 1]!);
  while (i < end) {
    const kind = CLASS[bytes[i]!]!;
    if (kind === LETTER || kind === DIGIT) {
      const word = i;
      do i++;
      while (i < end && isWord(bytes[i]!));
      if (kind === LETTER && !inside && beginsWord(bytes, word, end)) return word;
      const tail = tellingTail(bytes, word, i);
      if (tail >= 0) return tail;
    } else {
      if (kind === SIGN_LEAD && isMark(bytes, i, end)) return i;
      if (kind === COLON && isPlace(bytes, start, i, end)) return Math.max(from, i - 8);
      i++;
    }
    inside = false;
  }
  return -1;
}

function isWord(byte: number): boolean {
  const kind = CLASS[byte]!;
  return kind === LETTER || kind === DIGIT;
}

/** A word of a vocabulary, or `E0308`, `TS2322`, may begin at `i`. */
function beginsWord(bytes: Uint8Array, i: number, end: number): boolean {
  const a = bytes[i]! | 0x20;
  const b = i + 1 < end ? bytes[i + 1]! | 0x20 : 0;
  const c = i + 2 < end ? bytes[i + 2]! | 0x20 : 0;
  if (a === 0x65 && CLASS[b] === DIGIT && CLASS[c] === DIGIT) return true;
  if (a === 0x74 && b === 0x73 && CLASS[c] === DIGIT) return true;
  const key = ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
  if (MAY_BEGIN[key] === 0) return false;
  for (const beginning of byThree[key]!) if (startsFolded(bytes, i, end, beginning)) return true;
  return false;
}

function startsFolded(bytes: Uint8Array, i: number, end: number, beginning: Uint8Array): boolean {
  if (i + beginning.length > end) return false;
  for (let k = 0; k < beginning.length; k++) if ((bytes[i + k]! | 0x20) !== beginning[k]) return false;
  return true;
}

const TAILS = ['Error', 'Exception', 'BackOff', 'OOMKilled'].map((tail) => encoder.encode(tail));

/** Where `…Error`, `…Exception`, `…BackOff` or `OOMKilled` begins, if the word ends so; else −1. */
function tellingTail(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1]!;
  if (last === 0x72 || last === 0x6e || last === 0x66 || last === 0x64) {
    for (const tail of TAILS) if (endsWith(bytes, start, end, tail)) return end - tail.length;
  }
  return -1;
}

function endsWith(bytes: Uint8Array, start: number, end: number, tail: Uint8Array): boolean {
  const from = end - tail.length;
  if (from < start) return false;
  for (let k = 0; k < tail.length; k++) if (bytes[from + k] !== tail[k]) return false;
  return true;
}

/** ✖ ✗ ✘ (U+2716–2718), ❌ (U+274C). */
function isMark(bytes: Uint8Array, i: number, end: number): boolean {
  if (i + 2 >= end) return false;
  const last = bytes[i + 2]!;
  if (bytes[i + 1] === 0x9c) return last >= 0x96 && last <= 0x98;
  return bytes[i + 1] === 0x9d && last === 0x8c;
}

/** `file.c:12:5:` with its colon at `i`, or `main.go:12`. */
function isPlace(bytes: Uint8Array, start: number, i: number, end: number): boolean {
  if (i + 1 >= end || CLASS[bytes[i + 1]!] !== DIGIT || i === start) return false;
  const before = bytes[i - 1]!;
  if (before === 0x6f) return true;
  if (CLASS[before] === 0 && before !== 0x29 && before !== 0x5d) return false;
  let j = i + 1;
  while (j < end && CLASS[bytes[j]!] === DIGIT) j++;
  if (j + 1 >= end || bytes[j] !== COLON || CLASS[bytes[j + 1]!] !== DIGIT) return false;
  do j++;
  while (j < end && CLASS[bytes[j]!] === DIGIT);
  return j < end && bytes[j] === COLON;
}

/** Patterns that hold at the beginning of a line only: arrows, bullets, frames of a trace. The start, or −1. */
function placeAtStart(bytes: Uint8Array, start: number, end: number): number {
  let i = start;
  while (i < end && (bytes[i] === 0x20 || bytes[i] === 0x09)) i++;
  if (i >= end) return -1;
  const first = bytes[i]!;
  const second = i + 1 < end ? bytes[i + 1]! : 0;
  const found =
    (first === 0x2d && second === 0x2d) ||
    (first === 0x3e && second === 0x3e) ||
    (first === 0x61 && second === 0x74) ||
    (first === 0x46 && second === 0x69) ||
    (first === 0x45 && (second === 0x20 || second === 0x09 || second >= 0x80)) ||
    // Beginnings of ×, ●, and of blanks that are not ASCII.
    (first >= 0xc2 && (first <= 0xc3 || (first >= 0xe1 && first <= 0xe3) || first === 0xef));
  return found ? start : -1;
}
