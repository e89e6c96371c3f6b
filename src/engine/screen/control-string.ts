import { BEL, CAN, CR, ESC, LF, SUB } from './bytes.ts';
import { sequenceLength } from './utf8.ts';

/** A DCS, SOS, PM or APC string may span lines (sixel pictures do) up to this length. */
const STRING_MAX_BYTES = 1 << 20;
/** A string on one line (pictures, clipboards) ends within this many bytes, or was never terminated. */
const LINE_STRING_MAX_BYTES = 16 << 20;
/** A string that a raw C1 byte seems to start ends within this many bytes, or was never one. */
const RAW_STRING_MAX_BYTES = 4096;

/**
 * Finds the end of control strings (OSC, DCS, SOS, PM, APC, titles). A string that never ends must not swallow what
 * follows it. Of an unfinished string it remembers how far it has looked, so that small chunks stay linear.
 */
export class ControlString {
  /** LF bytes inside the string that was swallowed last. */
  lines = 0;
  /** Bytes of an unfinished string at the start of the held input that need no second look. */
  private scanned = 0;
  private scannedLines = 0;
  /** A pass-through of tmux never ended: its inner escapes are read one by one, and none is looked for again. */
  private distrusted = false;

  /**
   * A string that ends with BEL, ST, CAN or SUB, or is cut off by another escape. When its line ends first
   * it was never terminated: it is dropped up to `fallback`, and what follows is text. With `fallback` = `i`
   * another escape does not end it either.
   */
  onOneLine(bytes: Uint8Array, i: number, at: number, fallback: number, end: number, final: boolean): number {
    let j = Math.max(at, i + this.scanned);
    while (j < end) {
      const b = bytes[j]!;
      if (j - i > (fallback === i ? RAW_STRING_MAX_BYTES : LINE_STRING_MAX_BYTES))
        return this.closed(fallback);
      if (b === BEL || b === CAN || b === SUB) return this.closed(j + 1);
      if (b === LF || b === CR) return this.closed(fallback);
      if (b === ESC) {
        if (j + 1 >= end && !final) break;
        if (j + 1 < end && bytes[j + 1] === 0x5c) return this.closed(j + 2);
        return this.closed(fallback === i ? i : j);
      }
      if (b < 0x80) {
        j++;
        continue;
      }
      const step = stringStep(bytes, j, end);
      if (step === 0 && !final) break;
      // A string behind a raw byte holds no other bad byte: what does is text in an old encoding.
      const stray = fallback === i && step === 1;
      if (step === NEXT_CONTROL || stray) return this.closed(fallback === i ? i : j);
      if (step < 0) return this.closed(j - step);
      j += step || 1;
    }
    return this.starved(i, j, end, fallback, final);
  }

  /** A DCS, SOS, PM or APC string, which may span lines. Returns as `onOneLine` does. */
  onManyLines(bytes: Uint8Array, i: number, at: number, end: number, final: boolean): number {
    let j = Math.max(at, i + this.scanned);
    this.lines = this.scannedLines;
    const doubled = !this.distrusted && isTmux(bytes, at, end);
    while (j < end) {
      const b = bytes[j]!;
      if (b === LF) this.lines++;
      if (b === ESC) {
        if (j + 1 >= end && !final) break;
        const next = j + 1 < end ? bytes[j + 1]! : 0;
        if (next === 0x5c) return this.closed(j + 2);
        if (doubled && next === ESC) {
          j += 2;
          continue;
        }
        this.distrusted ||= doubled && this.lines > 0;
        return this.cutOff(j, at);
      }
      if (b === CAN || b === SUB) return this.cutOff(j + 1, at);
      if (j - i > (this.lines > 0 ? STRING_MAX_BYTES : LINE_STRING_MAX_BYTES)) {
        this.distrusted ||= doubled;
        this.lines = 0;
        return this.closed(at);
      }
      const step = b < 0x80 ? 1 : stringStep(bytes, j, end);
      if (step === 0 && !final) break;
      if (step === NEXT_CONTROL) return this.cutOff(j, at);
      // A raw 0x9C may be a Latin-1 letter: as a terminator it counts on the first line only.
      if (step === -2 || (step === -1 && this.lines === 0)) return this.closed(j - step);
      j += Math.abs(step) || 1;
    }
    this.distrusted ||= doubled && final;
    return this.starved(i, j, end, at, final);
  }

  /** A long string that another control ended: dropped if it is on one line, else it was never a string. */
  private cutOff(next: number, fallback: number): number {
    const whole = this.lines === 0;
    this.lines = 0;
    return this.closed(whole ? next : fallback);
  }

  private closed(next: number): number {
    this.scanned = 0;
    this.scannedLines = 0;
    return next;
  }

  private starved(i: number, j: number, end: number, fallback: number, final: boolean): number {
    if (final) {
      this.lines = 0;
      return this.closed(Math.min(fallback, end));
    }
    this.scanned = j - i;
    this.scannedLines = this.lines;
    return -1;
  }
}

/** U+0090, U+0098, U+009B, U+009D–9F inside a string: another control begins. */
const NEXT_CONTROL = -3;
const STARTS_CONTROL = new Set([0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f]);

/**
 * Steps over one character above ASCII: its length, 0 when it is unfinished, −length when it is ST, or
 * `NEXT_CONTROL`.
 */
function stringStep(bytes: Uint8Array, j: number, end: number): number {
  const length = sequenceLength(bytes, j, end);
  if (length === 2 && bytes[j] === 0xc2 && bytes[j + 1] === 0x9c) return -2;
  if (length < 0 && bytes[j] === 0x9c) return -1;
  if (length === 2 && bytes[j] === 0xc2 && STARTS_CONTROL.has(bytes[j + 1]!)) return NEXT_CONTROL;
  return Math.abs(length);
}

/** tmux's pass-through, `ESC P tmux; … ESC \`, writes every ESC of its payload twice. */
function isTmux(bytes: Uint8Array, at: number, end: number): boolean {
  const tag = [0x74, 0x6d, 0x75, 0x78, 0x3b];
  return at + tag.length <= end && tag.every((b, k) => bytes[at + k] === b);
}
