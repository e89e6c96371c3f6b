import { isAlphanumeric } from './bytes.ts';

/**
 * Words (lower case, whole) that tell of a failure. A line of the screen that holds one is evidence: when it
 * is erased or overwritten, it is shown all the same.
 */
const WORDS = [
  ...['abort', 'aborted', 'aborting', 'cannot', 'crash', 'crashed', 'critical', 'denied'],
  ...['err', 'error', 'errored', 'errors', 'exception', 'exceptions', 'fail', 'failed', 'failing', 'fails'],
  ...['failure', 'failures', 'fatal', 'invalid', 'killed', 'mismatch', 'panic', 'panicked', 'refused'],
  ...['rejected', 'segfault', 'segmentation', 'timeout', 'traceback', 'unable', 'unreachable'],
];
/** Words before which a count or a "no" takes the alarm away: "0 errors", "no failures". */
const NEGATIONS = ['no', 'without', 'zero'];
// Types such as TypeError or IOException: the ending of a longer word, with its capital.
const ENDINGS = ['Error', 'Exception', 'Failure'];

const encode = (words: string[]) => words.map((word) => new TextEncoder().encode(word));
const lastBytes = (words: Uint8Array[]) => words.map((word) => word[word.length - 1]!);

/** Words by their first byte, so that most words of a text cost one look. */
const byFirst: (Uint8Array[] | undefined)[] = new Array(256).fill(undefined);
for (const word of encode(WORDS)) {
  const first = word[0]!;
  byFirst[first] ??= [];
  byFirst[first].push(word);
}
const negations = encode(NEGATIONS);
const endings = encode(ENDINGS);
const endingLast = new Uint8Array(256);
for (const b of lastBytes(endings)) endingLast[b] = 1;
const negationLast = new Uint8Array(256);
for (const b of lastBytes(negations)) negationLast[b] = 1;

const WORD_BYTE = Uint8Array.from({ length: 256 }, (_, b) => (isAlphanumeric(b) || b === 0x5f ? 1 : 0));
const CROSS_LEAD = 0xe2;

/**
 * Index of the first failure word in bytes[start,end), or −1. Words are runs of ASCII letters, digits and
 * `_`; case is ignored. A zero count is no failure: "0 errors", "errors: 0", "no errors".
 */
export function failureAt(bytes: Uint8Array, start: number, end: number): number {
  let calm = false; // the word before was 0, "no" …
  let i = start;
  while (i < end) {
    if (WORD_BYTE[bytes[i]!] === 0) {
      if (bytes[i] === CROSS_LEAD && isCross(bytes, i, end)) return i;
      i++;
      continue;
    }
    let j = i + 1;
    while (j < end && WORD_BYTE[bytes[j]!] === 1) j++;
    if (!calm && isFailureWord(bytes, i, j) && !zeroFollows(bytes, j, end)) return i;
    calm = isZero(bytes, i, j) || isNegation(bytes, i, j);
    i = j;
  }
  return -1;
}

function isFailureWord(bytes: Uint8Array, start: number, end: number): boolean {
  const candidates = byFirst[bytes[start]! | 0x20];
  if (candidates !== undefined) {
    for (const word of candidates) if (equalsFolded(bytes, start, end, word)) return true;
  }
  if (endingLast[bytes[end - 1]!] === 0) return false;
  for (const ending of endings) if (endsWith(bytes, start, end, ending)) return true;
  return false;
}

function isNegation(bytes: Uint8Array, start: number, end: number): boolean {
  if (negationLast[bytes[end - 1]! | 0x20] === 0) return false;
  for (const word of negations) if (equalsFolded(bytes, start, end, word)) return true;
  return false;
}

function equalsFolded(bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean {
  if (end - start !== word.length) return false;
  for (let k = 0; k < word.length; k++) if ((bytes[start + k]! | 0x20) !== word[k]) return false;
  return true;
}

function endsWith(bytes: Uint8Array, start: number, end: number, ending: Uint8Array): boolean {
  const from = end - ending.length;
  if (from <= start) return false;
  for (let k = 0; k < ending.length; k++) if (bytes[from + k] !== ending[k]) return false;
  return true;
}

function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  return end - start === 1 && bytes[start] === 0x30;
}

/** "errors: 0", "failed=0", "errors 0": a zero that stands alone after the word. */
function zeroFollows(bytes: Uint8Array, at: number, end: number): boolean {
  let i = at;
  while (i < end && (bytes[i] === 0x20 || bytes[i] === 0x3a || bytes[i] === 0x3d)) i++;
  if (i === at || i >= end || bytes[i] !== 0x30) return false;
  const next = i + 1 < end ? bytes[i + 1]! : 0x20;
  return WORD_BYTE[next] === 0 && next !== 0x2e;
}

/** ✗ ✘ (U+2717, U+2718), ❌ (U+274C). */
function isCross(bytes: Uint8Array, i: number, end: number): boolean {
  if (i + 2 >= end) return false;
  const middle = bytes[i + 1];
  const last = bytes[i + 2];
  return (middle === 0x9c && (last === 0x97 || last === 0x98)) || (middle === 0x9d && last === 0x8c);
}
