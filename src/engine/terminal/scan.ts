/** Most standalone numbers of one line that are watched for odd values. */
export const MAX_COLUMNS = 16;

const LETTER = 1;
const DIGIT = 2;
const BLANK = 3;
const CLASS = new Uint8Array(256);
for (let b = 0; b < 256; b++) {
  if ((b >= 65 && b <= 90) || (b >= 97 && b <= 122) || b === 95 || b >= 128) CLASS[b] = LETTER;
  else if (b >= 48 && b <= 57) CLASS[b] = DIGIT;
  else if (b === 32 || b === 9) CLASS[b] = BLANK;
}
const EQUALS = 0x3d;
const COLON = 0x3a;
const DOT = 0x2e;
const DASH = 0x2d;
const HASH = 0x23;
const SPACE = 0x20;
const PRIME_A = 0x01000193; // FNV-1a
const PRIME_B = 0x5bd1e995; // MurmurHash2's multiplier, as a second, independent hash

/**
 * One pass over a line's bytes: a 64-bit hash of its masked form (digit runs become `#`, runs of blanks one blank),
 * and the numbers that stand alone in it. Lines with equal hashes are one *kind*.
 * The fields hold the last scanned line; nothing is allocated per line.
 */
export class LineScanner {
  hashA = 0;
  hashB = 0;
  /** False when no word of the line has a letter: its digits are then its only content. */
  hasLetter = false;
  /** Hash of what its numbers are: zero, an HTTP failure, or neither. Levels that hang on digits hang on these. */
  digitClasses = 0;
  columnCount = 0;
  readonly columns = new Float64Array(MAX_COLUMNS);
  /** 1 where the number follows `=` or `: `: a named value, of which a zero may be news. */
  readonly named = new Uint8Array(MAX_COLUMNS);

  scan(bytes: Uint8Array, start: number, end: number): void {
    let a = 0x811c9dc5 | 0;
    let b = 0x9747b28c | 0;
    let letters = false;
    this.columnCount = 0;
    this.digitClasses = 0;
    let i = start;
    while (i < end) {
      let byte = bytes[i]!;
      const kind = CLASS[byte]!;
      if (kind === DIGIT) {
        i = this.#number(bytes, start, i, end);
        byte = HASH;
      } else if (kind === BLANK) {
        do i++;
        while (i < end && CLASS[bytes[i]!] === BLANK);
        byte = SPACE;
      } else {
        if (kind === LETTER) letters = true;
        i++;
      }
      a = Math.imul(a ^ byte, PRIME_A);
      b = Math.imul(b ^ byte, PRIME_B);
      b ^= b >>> 15;
    }
    this.hashA = a;
    this.hashB = b;
    this.hasLetter = letters;
  }

  /** Hash of the unmasked bytes, for lines without letters. */
  scanExact(bytes: Uint8Array, start: number, end: number): void {
    let a = 0x2c1b3c6d;
    let b = 0x297a2d39;
    for (let i = start; i < end; i++) {
      a = Math.imul(a ^ bytes[i]!, PRIME_A);
      b = Math.imul(b ^ bytes[i]!, PRIME_B);
      b ^= b >>> 15;
    }
    this.hashA = a;
    this.hashB = b;
  }

  /** Reads the digit run at `from`; records it when it stands alone. Returns the index after it. */
  #number(bytes: Uint8Array, start: number, from: number, end: number): number {
    let value = 0;
    let i = from;
    let byte = bytes[i]!;
    do {
      value = value * 10 + (byte - 48);
      i++;
      byte = i < end ? bytes[i]! : 0;
    } while (byte >= 48 && byte <= 57);
    const failure = i - from === 3 && value >= 400 && value < 600;
    this.digitClasses = Math.imul(this.digitClasses ^ (value === 0 ? 1 : failure ? 2 : 3), PRIME_A);
    if (this.columnCount >= MAX_COLUMNS) return i;
    const before = from > start ? bytes[from - 1]! : 0;
    // Parts of names, measures with a unit, decimals, addresses, dates and times vary freely: not columns.
    if (CLASS[before] === LETTER || CLASS[byte] === LETTER) return i;
    if (isJoint(byte) && i + 1 < end && CLASS[bytes[i + 1]!] === DIGIT) return i;
    const earlier = from - 2 >= start ? bytes[from - 2]! : 0;
    if (isJoint(before) && CLASS[earlier] === DIGIT) return i;
    this.columns[this.columnCount] = value;
    this.named[this.columnCount] = before === EQUALS || (before === SPACE && earlier === COLON) ? 1 : 0;
    this.columnCount++;
    return i;
  }
}

function isJoint(byte: number): boolean {
  return byte === DOT || byte === COLON || byte === DASH;
}
