import { RE2JS } from 're2js';
import { CavemanError } from '../protocol/errors.ts';

/** Which lines of a cleaned text are wanted. All given parts apply: range, then pattern, then head and tail. */
export interface LineSelection {
  /** First and last line, from 1, both included. */
  lines?: [number, number] | undefined;
  /** The first so many lines of what is left. */
  head?: number | undefined;
  /** The last so many lines of what is left. */
  tail?: number | undefined;
  /** RE2 pattern (linear time). */
  grep?: string | undefined;
  /** Lines shown around each match. */
  context?: number | undefined;
}

type LineSink = (bytes: Uint8Array, start: number, end: number) => void;

export interface Selector {
  line(bytes: Uint8Array, start: number, end: number): void;
  /** Gives what was held back (`tail`). */
  finish(): void;
  /** Nothing more can come: the caller may stop reading. */
  readonly done: boolean;
}

/**
 * Selects lines as they stream by and gives them to `sink` in order. Memory: `tail` and `context` lines.
 * Groups of matches that do not touch are parted by a line `--`, as grep does, when context is asked for.
 * Throws CavemanError `bad-request` for a pattern that is not RE2 and for an empty range.
 */
export function createSelector(select: LineSelection, sink: LineSink): Selector {
  const tail = select.tail === undefined ? null : new TailLines(select.tail, sink);
  const head = new HeadLines(select.head ?? Number.POSITIVE_INFINITY, tail ? tail.line : sink);
  const grep = select.grep === undefined ? null : new Grep(select.grep, select.context ?? 0, head.line);
  const [first, last] = select.lines ?? [1, Number.POSITIVE_INFINITY];
  if (first > last)
    throw new CavemanError('bad-request', `lines ${first}:${last} is an empty range; give A:B with A ≤ B`);
  let number = 0;
  return {
    line(bytes, start, end): void {
      number++;
      if (number < first || number > last) return;
      if (grep) grep.line(bytes, start, end);
      else head.line(bytes, start, end);
    },
    finish(): void {
      tail?.finish();
    },
    get done(): boolean {
      return number >= last || head.full;
    },
  };
}

class HeadLines {
  #left: number;
  readonly #sink: LineSink;
  constructor(count: number, sink: LineSink) {
    this.#left = count;
    this.#sink = sink;
  }
  get full(): boolean {
    return this.#left <= 0;
  }
  readonly line: LineSink = (bytes, start, end) => {
    if (this.#left <= 0) return;
    this.#left--;
    this.#sink(bytes, start, end);
  };
}

class TailLines {
  readonly #count: number;
  readonly #sink: LineSink;
  #ring: Uint8Array[] = [];
  #next = 0;
  constructor(count: number, sink: LineSink) {
    this.#count = count;
    this.#sink = sink;
  }
  readonly line: LineSink = (bytes, start, end) => {
    if (this.#count === 0) return;
    this.#ring[this.#next] = bytes.slice(start, end);
    this.#next = (this.#next + 1) % this.#count;
  };
  finish(): void {
    const from = this.#ring.length < this.#count ? 0 : this.#next;
    for (let i = 0; i < this.#ring.length; i++) {
      const line = this.#ring[(from + i) % this.#ring.length]!;
      this.#sink(line, 0, line.length);
    }
    this.#ring = [];
  }
}

const SEPARATOR = new TextEncoder().encode('--');

class Grep {
  readonly #pattern: RE2JS;
  readonly #context: number;
  readonly #sink: LineSink;
  readonly #decoder = new TextDecoder();
  #before: Uint8Array[] = [];
  #after = 0;
  #skipped = false;
  #shown = false;

  constructor(pattern: string, context: number, sink: LineSink) {
    this.#pattern = compile(pattern);
    this.#context = context;
    this.#sink = sink;
  }

  line(bytes: Uint8Array, start: number, end: number): void {
    const text = this.#decoder.decode(bytes.subarray(start, end));
    if (this.#pattern.matcher(text).find()) {
      this.#flush();
      this.#sink(bytes, start, end);
      this.#shown = true;
      this.#after = this.#context;
    } else if (this.#after > 0) {
      this.#after--;
      this.#sink(bytes, start, end);
    } else this.#holdBack(bytes, start, end);
  }

  #flush(): void {
    if (this.#context > 0 && this.#shown && this.#skipped) this.#sink(SEPARATOR, 0, SEPARATOR.length);
    for (const line of this.#before) this.#sink(line, 0, line.length);
    this.#before = [];
    this.#skipped = false;
  }

  #holdBack(bytes: Uint8Array, start: number, end: number): void {
    if (this.#context > 0) this.#before.push(bytes.slice(start, end));
    if (this.#before.length > this.#context) this.#before.shift();
    else if (this.#context > 0) return;
    this.#skipped = true;
  }
}

function compile(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const why = (error as Error).message.replace(/\s+/g, ' ');
    throw new CavemanError('bad-request', `--grep takes an RE2 pattern; this one is not: ${why}`);
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();
/** Controls apart from TAB and LF, bidi controls, tag characters: what a terminal must not be handed. */
const UNSAFE =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

/**
 * The same text with control characters shown, not obeyed: `^[` for ESC and the like as `cat -v` has it, `<U+202E>` for
 * bidi controls, C1 and tags. Invalid UTF-8 becomes U+FFFD. For people's terminals: never used on bytes that are kept.
 */
export function visible(bytes: Uint8Array): Uint8Array {
  return encoder.encode(decoder.decode(bytes).replace(UNSAFE, show));
}

function show(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
