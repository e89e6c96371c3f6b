import { ControlString } from './control-string.ts';

/** What a parsed control sequence asks for. */
export const NOTHING = 0;
export const CSI = 1;
export const ESCAPE = 2;
export const CHARSET = 3;
/** A raw C1 byte that introduces nothing: bad UTF-8. */
export const INVALID = 4;

/** A CSI sequence without final byte within this many bytes is no sequence: only its introducer goes. */
const CSI_MAX_BYTES = 256;
/** Parameters above this mean "as far as possible". */
const PARAMETER_MAX = 100_000;

// C1 controls (ECMA-48 8.2) as the second byte of their ESC form: U+009B is ESC [.
const C1_BASE = 0x40;

/**
 * Parses one control sequence of ECMA-48 and xterm (7-bit ESC forms, C1 as U+0080–9F, C1 as raw bytes).
 * One object is used again and again; the fields hold the last parsed sequence.
 */
export class Sequence {
  kind: number = NOTHING;
  /** Final byte of a CSI or ESC sequence; for `CHARSET` the designator `(` or `)`. */
  op = 0;
  /** First two parameters; −1 when absent. For `CHARSET` `first` is the set's final byte. */
  first = -1;
  second = -1;
  /** `?`, `>`, `<` or `=` of a private CSI sequence, else 0. */
  prefix = 0;
  private readonly strings = new ControlString();

  /**
   * Parses at `i`, where an ESC stands. Returns the index after the sequence, or −1 when more bytes are
   * needed (never when `final`). The next call must then start at the same sequence.
   */
  parse(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    this.reset();
    if (i + 1 >= end) return final ? end : -1;
    return this.body(bytes, i, i + 2, bytes[i + 1]!, end, final);
  }

  /** The same for a C1 control U+0080–9F, which takes two bytes at `i`. */
  parseC1(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    this.reset();
    return this.body(bytes, i, i + 2, bytes[i + 1]! - C1_BASE, end, final);
  }

  /**
   * The same for a raw byte 0x80–0x9F. In Latin-1 text these bytes are letters and punctuation, so only a
   * CSI with parameters and a string that is terminated on its line count; else `kind` is `INVALID`.
   */
  parseRawC1(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    this.reset();
    const letter = bytes[i]! - C1_BASE;
    if (letter === 0x5b) {
      if (i + 1 >= end && !final) return -1;
      const next = i + 1 < end ? bytes[i + 1]! : 0;
      if ((next >= 0x30 && next <= 0x3f) || next === 0x6d || next === 0x4b)
        return this.csi(bytes, i, i + 1, end, final);
    } else if (letter === 0x50 || letter === 0x58 || (letter >= 0x5d && letter <= 0x5f)) {
      const next = this.strings.onOneLine(bytes, i, i + 1, i, end, final);
      if (next !== i) return next;
    }
    this.kind = INVALID;
    return i + 1;
  }

  /** LF bytes inside a string that was swallowed; reading them clears them. */
  takeLines(): number {
    const { lines } = this.strings;
    this.strings.lines = 0;
    return lines;
  }

  /** The number of the first parameter, at least 1. */
  count(): number {
    return this.first > 0 ? this.first : 1;
  }

  private reset(): void {
    this.kind = NOTHING;
    this.op = 0;
    this.first = -1;
    this.second = -1;
    this.prefix = 0;
    this.strings.lines = 0;
  }

  private body(
    bytes: Uint8Array,
    i: number,
    at: number,
    letter: number,
    end: number,
    final: boolean,
  ): number {
    switch (letter) {
      case 0x5b: // [
        return this.csi(bytes, i, at, end, final);
      case 0x5d: // ]
        return this.osc(bytes, i, at, end, final);
      case 0x6b: // k, the title of screen and tmux
        return this.strings.onOneLine(bytes, i, at, at, end, final);
      case 0x50: // P, DCS
      case 0x58: // X, SOS
      case 0x5e: // ^, PM
      case 0x5f: // _, APC
        return this.strings.onManyLines(bytes, i, at, end, final);
    }
    if (letter >= 0x20 && letter <= 0x2f) return this.intermediates(bytes, at, letter, end, final);
    if (letter < 0x20 || letter > 0x7e) return at - 1; // ESC before a control or text: only the ESC goes
    this.kind = ESCAPE;
    this.op = letter;
    return at;
  }

  private intermediates(bytes: Uint8Array, at: number, letter: number, end: number, final: boolean): number {
    let j = at;
    while (j < end && bytes[j]! >= 0x20 && bytes[j]! <= 0x2f && j - at < CSI_MAX_BYTES) j++;
    if (j >= end) return final ? end : -1;
    const last = bytes[j]!;
    if (last < 0x30 || last > 0x7e) return j;
    if (j === at && (letter === 0x28 || letter === 0x29)) {
      this.kind = CHARSET;
      this.op = letter;
      this.first = last;
    }
    return j + 1;
  }

  private csi(bytes: Uint8Array, i: number, at: number, end: number, final: boolean): number {
    let j = at;
    let value = -1;
    let index = 0;
    let intermediate = false;
    for (; j < end; j++) {
      const b = bytes[j]!;
      if (b >= 0x30 && b <= 0x39) {
        value = Math.min(PARAMETER_MAX, (value < 0 ? 0 : value * 10) + b - 0x30);
      } else if (b >= 0x40 && b <= 0x7e) {
        this.parameter(index, value);
        this.op = b;
        this.kind = intermediate ? NOTHING : CSI;
        return j + 1;
      } else if (b >= 0x3c && b <= 0x3f) {
        this.prefix = b;
      } else if (b === 0x3a || b === 0x3b) {
        this.parameter(index++, value);
        value = -1;
      } else if (b >= 0x20 && b <= 0x2f) {
        intermediate = true;
      } else {
        return j; // a control or text inside: what came before it is dropped
      }
      if (j - i >= CSI_MAX_BYTES) return at;
    }
    return final ? end : -1;
  }

  private parameter(index: number, value: number): void {
    if (index === 0) this.first = value;
    else if (index === 1) this.second = value;
  }

  private osc(bytes: Uint8Array, i: number, at: number, end: number, final: boolean): number {
    if (at >= end) return final ? end : -1;
    // The Linux console's palette commands have no terminator: ESC ] R, ESC ] P and seven hex digits.
    if (bytes[at] === 0x52) return at + 1;
    if (bytes[at] === 0x50) {
      let j = at + 1;
      while (j < end && j < at + 8 && isHex(bytes[j]!)) j++;
      if (j === at + 8) return j;
      if (j >= end && !final) return -1;
    }
    let text = at;
    while (text < end && bytes[text]! >= 0x30 && bytes[text]! <= 0x39) text++;
    while (text < end && bytes[text] === 0x3b) text++;
    return this.strings.onOneLine(bytes, i, at, text, end, final);
  }
}

function isHex(b: number): boolean {
  return (b >= 0x30 && b <= 0x39) || ((b | 0x20) >= 0x61 && (b | 0x20) <= 0x66);
}
