import { candidateAt } from './candidate.ts';
import {
  ERROR,
  findImportant,
  type Importance,
  importanceOf,
  type Level,
  NOTHING,
  PLAIN,
} from './importance.ts';
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
/** Put before a piece from the middle of a line, so that nothing in it passes for the line's beginning. */
const MIDDLE = '~';

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
// One byte, one character: positions in the text are positions in the bytes.
const bytewise = new TextDecoder('latin1');

export function decode(bytes: Uint8Array, start: number, end: number): string {
  return utf8.decode(bytes.subarray(start, end));
}

/** Importance of a line of any length. Patterns run only where the byte scan finds that they may match. */
export function importanceOfLine(bytes: Uint8Array, start: number, end: number): Importance {
  let at = candidateAt(bytes, start, start, end);
  if (at < 0) return NOTHING;
  if (end - start <= MAX_LINE_BYTES) return importanceOf(decode(bytes, start, end));
  let level: Level = PLAIN;
  while (at >= 0) {
    const from = Math.max(start, at - OVERLAP_BYTES);
    const to = Math.min(end, from + PIECE_BYTES);
    // What stands in the middle of a line is no beginning of one.
    const piece = (from > start ? MIDDLE : '') + decode(bytes, from, to);
    const found = importanceOf(piece).level;
    if (found > level) level = found;
    if (level === ERROR || to === end) break;
    at = candidateAt(bytes, start, to - OVERLAP_BYTES, end);
  }
  return { level, perLine: false };
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
  let at = candidateAt(bytes, start, start, end);
  while (at >= 0 && found.length < MAX_MATCHES) {
    const from = Math.max(start, at - OVERLAP_BYTES);
    const to = Math.min(end, from + PIECE_BYTES);
    const after = found.length === 0 ? from : Math.max(from, found.at(-1)! + AFTER_MATCH);
    const hit = findImportant(bytewise.decode(bytes.subarray(after, to)), 0);
    if (hit) found.push(after + hit.at);
    else if (to === end) break;
    at = candidateAt(bytes, start, hit ? after + hit.at + AFTER_MATCH : to - OVERLAP_BYTES, end);
  }
  return found;
}

/** First index at or after `at` that begins a UTF-8 character. */
function characterStart(bytes: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && (bytes[i]! & 0xc0) === 0x80) i++;
  return i;
}
