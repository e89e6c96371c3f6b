/**
 * Bounds on o200k_base tokens without a tokenizer. A text has at least as many tokens as pre-tokens (the pieces
 * that the encoding's pattern cuts before any merge), and the longest token is 128 bytes (26 for ASCII letters).
 */

const LETTER = 1;
const DIGIT = 2;
const SPACE = 3;
const PUNCTUATION = 4;
const OTHER = 5; // not ASCII: a letter, a symbol or a blank; never counted alone
const LINE_END = 6;

const CLASS = new Uint8Array(256).fill(PUNCTUATION);
for (let b = 0; b < 256; b++) {
  if ((b >= 65 && b <= 90) || (b >= 97 && b <= 122)) CLASS[b] = LETTER;
  else if (b >= 48 && b <= 57) CLASS[b] = DIGIT;
  else if (b === 32 || b === 9 || b === 11 || b === 12) CLASS[b] = SPACE;
  else if (b === 10 || b === 13) CLASS[b] = LINE_END;
  else if (b >= 128) CLASS[b] = OTHER;
}

const APOSTROPHE = 0x27;
/** Longest o200k_base token of ASCII letters, and of anything; measured over the published ranks. */
const LONGEST_WORD_TOKEN = 26;
const LONGEST_TOKEN = 128;
/** Digits are cut into pieces of at most three. */
const DIGITS_PER_TOKEN = 3;
/** Bytes per token of the usual estimate; log text is nearer to 3.2, prose to 4.2. */
const BYTES_PER_TOKEN = 3.5;

/** Most that one `… N lines elided (caveman) …` line can cost. */
export const MARKER_TOKENS = 14;
/** Most that the footer can cost with its usual launcher. */
export const FOOTER_TOKENS = 30;

/**
 * Lower bound of the o200k_base tokens of the UTF-8 text in `bytes[start, end)`. Linear, never over-counts:
 * whatever may join a neighbour in the encoding's pattern (a blank or one sign before a letter, a contraction,
 * a line end after a sign, anything beside a byte that is not ASCII) is not counted.
 */
export function lowerBoundTokens(bytes: Uint8Array, start: number, end: number): number {
  let tokens = 0;
  let before = 0; // class of the byte before the run
  let i = start;
  while (i < end) {
    const kind = CLASS[bytes[i]!]!;
    const from = i;
    do i++;
    while (i < end && CLASS[bytes[i]!] === kind);
    const length = i - from;
    if (kind === LETTER) {
      const joined = before === OTHER || (from - 2 >= start && isContraction(bytes, from));
      tokens += (joined ? 0 : 1) + Math.floor((length - 1) / LONGEST_WORD_TOKEN);
    } else if (kind === DIGIT) {
      tokens +=
        before === OTHER ? Math.floor(length / DIGITS_PER_TOKEN) : Math.ceil(length / DIGITS_PER_TOKEN);
    } else if (kind === OTHER) {
      tokens += Math.floor((length - 1) / LONGEST_TOKEN);
    } else if (before !== OTHER) {
      const after = i < end ? CLASS[bytes[i]!]! : LINE_END;
      tokens += signTokens(kind, length, before, after);
    }
    before = kind;
  }
  return tokens;
}

/** Lower bound for one line (without its line end) inside a document: the line end counts after a letter or digit. */
export function lineTokens(bytes: Uint8Array, start: number, end: number): number {
  if (end === start) return 0;
  const last = CLASS[bytes[end - 1]!]!;
  return lowerBoundTokens(bytes, start, end) + (last === LETTER || last === DIGIT ? 1 : 0);
}

/** Pieces that a run of blanks, signs or line ends adds for sure. */
function signTokens(kind: number, length: number, before: number, after: number): number {
  const extra = Math.floor((length - 1) / LONGEST_TOKEN);
  if (kind === PUNCTUATION) return extra + (length === 1 && (after === LETTER || after === OTHER) ? 0 : 1);
  if (kind === SPACE) {
    if (after === LINE_END || after === OTHER) return extra;
    // The last blank joins a letter or a sign, but before a digit it is a piece of its own.
    return extra + (length > 1 ? 1 : 0) + (after === DIGIT ? 1 : 0);
  }
  return before === LETTER || before === DIGIT ? 1 : 0;
}

/** `'` between letters: `it's` is one piece, so the letters after it are not counted. */
function isContraction(bytes: Uint8Array, from: number): boolean {
  if (bytes[from - 1] !== APOSTROPHE) return false;
  const kind = CLASS[bytes[from - 2]!]!;
  return kind === LETTER || kind === OTHER;
}

/** Estimate for budgets: bytes ÷ 3.5, and never under the lower bound. */
export function estimateTokens(bytes: number, lowerBound: number): number {
  return Math.max(lowerBound, Math.ceil(bytes / BYTES_PER_TOKEN));
}

const encoder = new TextEncoder();

/** Lower bound for a string; see `lowerBoundTokens`. */
export function lowerBoundOf(text: string): number {
  const bytes = encoder.encode(text);
  return lowerBoundTokens(bytes, 0, bytes.length);
}

/** Budget estimate for a string, in tokens. */
export function estimateOf(text: string): number {
  const bytes = encoder.encode(text);
  return estimateTokens(bytes.length, lowerBoundTokens(bytes, 0, bytes.length));
}
