/** Byte pair merging takes time quadratic in the length of one pre-token; a longer one is cut in parts of this length. */
const MAX_RUN = 1_000;

/**
 * Cuts a text where one kind of character (blank, digit, other ASCII sign, letter) runs on for over 1,000
 * characters. A normal text comes back whole. A cut may change the count by a token: the result is an estimate.
 */
export function cutLongRuns(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let run = 0;
  let kind = -1;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const now = kindOf(unit);
    run = now === kind ? run + 1 : 1;
    kind = now;
    // Never between the halves of a surrogate pair.
    if (run > MAX_RUN && (unit & 0xfc00) !== 0xdc00) {
      parts.push(text.slice(start, i));
      start = i;
      run = 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function kindOf(unit: number): number {
  if (unit <= 0x20) return 0;
  if (unit >= 0x30 && unit <= 0x39) return 1;
  if (unit >= 0x80) return 3;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x7a ? 3 : 2;
}
