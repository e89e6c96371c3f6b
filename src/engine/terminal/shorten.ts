import { findImportant } from './importance.ts';
import type { KeptLine } from './kept.ts';
import { byteMarker, isMarkerLine } from './marker.ts';

const encoder = new TextEncoder();
/** Characters before the match that a shortened line keeps. */
const BEFORE_MATCH = 40;

/** The line cut to about `maxChars` characters around the first word that matters (else its beginning). */
export function shorten(line: KeptLine, maxChars: number): KeptLine {
  const { text } = line;
  if (text.length <= maxChars || isMarkerLine(text)) return line;
  const hit = findImportant(text, 0);
  const from = hit && hit.end > maxChars ? wholeCharacter(text, hit.at - BEFORE_MATCH) : 0;
  const to = wholeCharacter(text, Math.min(text.length, from + maxChars));
  const before = text.slice(0, from);
  const after = text.slice(to);
  const shown = `${gap(before)}${text.slice(from, to)}${gap(after)}`;
  if (shown.length >= text.length) return line;
  const cut = encoder.encode(before).length + encoder.encode(after).length;
  return { ...line, text: shown, cutBytes: line.cutBytes + cut };
}

function gap(cut: string): string {
  return cut === '' ? '' : byteMarker(encoder.encode(cut).length);
}

/** Never cuts a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
