import { ERROR, findImportant, type Importance, importanceOf, type Level, PLAIN } from './importance.ts';
import { byteMarker } from './marker.ts';

/** Lines of more bytes than this are shown through windows. */
export const MAX_LINE_BYTES = 2000;
/** Windows: bytes of the head and tail, and around each of the first matches. Together under `MAX_LINE_BYTES`. */
const EDGE_BYTES = 160;
const BEFORE_MATCH = 100;
const AFTER_MATCH = 300;
const MAX_MATCHES = 3;
/** Long lines are searched in pieces: bounded work for any pattern, bounded memory for any line. */
const PIECE_BYTES = 4096;
const OVERLAP_BYTES = 128;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
// One byte, one character: positions in the text are positions in the bytes.
const bytewise = new TextDecoder('latin1');

export function decode(bytes: Uint8Array, start: number, end: number): string {
  return utf8.decode(bytes.subarray(start, end));
}

/** Importance of a line of any length. */
export function importanceOfLine(bytes: Uint8Array, start: number, end: number): Importance {
  if (end - start <= MAX_LINE_BYTES) return importanceOf(decode(bytes, start, end));
  let best: Importance = { level: 0, perLine: false };
  for (let from = start; from < end; from += PIECE_BYTES - OVERLAP_BYTES) {
    const piece = importanceOf(bytewise.decode(bytes.subarray(from, Math.min(end, from + PIECE_BYTES))));
    if (piece.level > best.level) best = { level: piece.level, perLine: false };
    if (best.level === ERROR) break;
  }
  return best;
}

/**
 * The line as it is shown: whole up to `MAX_LINE_BYTES`, else its head, its tail and windows around the first words
 * that matter, with counted in-line markers between them. `cutBytes` is what is missing.
 */
export function windowed(
  bytes: Uint8Array,
  start: number,
  end: number,
  level: Level,
): { text: string; cutBytes: number } {
  if (end - start <= MAX_LINE_BYTES) return { text: decode(bytes, start, end), cutBytes: 0 };
  const spans: [number, number][] = [[start, start + EDGE_BYTES]];
  const hits = level === PLAIN ? [] : matches(bytes, start, end);
  for (const at of hits) spans.push([at - BEFORE_MATCH, at + AFTER_MATCH]);
  spans.push([end - EDGE_BYTES, end]);
  let text = '';
  let cutBytes = 0;
  let shown = start;
  for (const span of spans) {
    const from = characterStart(bytes, Math.max(span[0], shown), end);
    const to = characterStart(bytes, Math.min(Math.max(span[1], from), end), end);
    if (from > shown) {
      text += byteMarker(from - shown);
      cutBytes += from - shown;
    }
    text += decode(bytes, from, to);
    shown = to;
  }
  return { text, cutBytes };
}

/** Byte positions of the first words that matter, each outside the window of the one before. */
function matches(bytes: Uint8Array, start: number, end: number): number[] {
  const found: number[] = [];
  let next = start;
  while (next < end && found.length < MAX_MATCHES) {
    const piece = bytewise.decode(bytes.subarray(next, Math.min(end, next + PIECE_BYTES)));
    const hit = findImportant(piece, 0);
    if (hit) {
      found.push(next + hit.at);
      next += hit.at + AFTER_MATCH;
    } else next += PIECE_BYTES - OVERLAP_BYTES;
  }
  return found;
}

/** First index at or after `at` that begins a UTF-8 character. */
function characterStart(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && (bytes[i]! & 0xc0) === 0x80) i++;
  return i;
}
