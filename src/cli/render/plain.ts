import stringWidth from 'string-width';

/** Controls, bidi overrides and invisible tag characters: captured text must not steer a person's terminal. */
const UNSAFE =
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/gu;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** One line of text that is safe to print: newlines become `⏎`, tabs a blank, other controls `\x1b`. */
export function oneLine(text: string): string {
  return text
    .trim()
    .replace(/\s*\r?\n\s*/g, ' ⏎ ')
    .replaceAll('\t', ' ')
    .replace(UNSAFE, (c) => {
      const code = c.codePointAt(0) ?? 0;
      return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
    });
}

/** The text cut to `width` terminal columns, with `…` where something went. */
export function truncate(text: string, width: number): string {
  // Nothing is narrower than half a column per UTF-16 unit on average: measure only what may fit.
  if (text.length <= width * 8 && stringWidth(text) <= width) return text;
  let out = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text.slice(0, width * 16))) {
    const wide = stringWidth(segment);
    if (used + wide > width - 1) break;
    out += segment;
    used += wide;
  }
  return `${out}…`;
}
