import { lineTokens } from '../tokens.ts';
import type { Level } from './importance.ts';
import type { KeptLine } from './kept.ts';
import type { Kind } from './kind.ts';
import { windowed } from './window.ts';

/** Bound of a document that is held whole: bytes of cleaned text, and lines. */
const MAX_BYTES = 256 * 1024;
const MAX_LINES = 16 * 1024;
const CR = 0x0d;
const LF = 0x0a;

/**
 * The cleaned text, held whole while it is small. Then any line can still be shown when the end is known;
 * a larger document drops it all and lives on the lines that were kept on the way.
 */
export class WholeText {
  #bytes = new Uint8Array(4096);
  #length = 0;
  #complete = true;
  #offsets: number[] = [];
  #ends: number[] = [];
  #tokensBefore: number[] = [];
  #kinds: Kind[] = [];
  #levels: Level[] = [];

  /** False once the document has outgrown its bound. */
  get complete(): boolean {
    return this.#complete;
  }

  add(bytes: Uint8Array, start: number, end: number, kind: Kind, level: Level, tokensBefore: number): void {
    if (!this.#complete) return;
    const needed = this.#length + (end - start);
    if (needed > MAX_BYTES || this.#offsets.length === MAX_LINES) {
      this.#drop();
      return;
    }
    if (needed > this.#bytes.length) this.#grow(needed);
    this.#offsets.push(this.#length);
    this.#bytes.set(bytes.subarray(start, end), this.#length);
    this.#length += end - start;
    this.#ends.push(this.#length);
    this.#kinds.push(kind);
    this.#levels.push(level);
    this.#tokensBefore.push(tokensBefore);
  }

  /** The text, each line with its own line end (`isCrlf`); the last one only if the document ends with one. */
  bytes(endsWithNewline: boolean, isCrlf: (line: number) => boolean): Uint8Array {
    const count = this.#ends.length;
    const out = new Uint8Array(this.#length + count * 2);
    let to = 0;
    for (let i = 0; i < count; i++) {
      const line = this.#bytes.subarray(this.#offsets[i]!, this.#ends[i]!);
      out.set(line, to);
      to += line.length;
      if (i === count - 1 && !endsWithNewline) break;
      if (isCrlf(i + 1)) out[to++] = CR;
      out[to++] = LF;
    }
    return out.subarray(0, to);
  }

  /** Line `number` (from 1) as it may be shown. */
  line(number: number): KeptLine {
    const i = number - 1;
    const start = this.#offsets[i]!;
    const end = this.#ends[i]!;
    return {
      line: number,
      ...windowed(this.#bytes, start, end, this.#levels[i]!),
      level: this.#levels[i]!,
      kind: this.#kinds[i]!,
      tokensBefore: this.#tokensBefore[i]!,
      tokens: lineTokens(this.#bytes, start, end),
      pinned: false,
    };
  }

  /** Numbers of the lines of one kind, ascending. */
  linesOf(kind: Kind): number[] {
    const out: number[] = [];
    for (let i = 0; i < this.#kinds.length; i++) if (this.#kinds[i] === kind) out.push(i + 1);
    return out;
  }

  #grow(needed: number): void {
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }

  #drop(): void {
    this.#complete = false;
    this.#bytes = new Uint8Array(0);
    this.#offsets = [];
    this.#ends = [];
    this.#tokensBefore = [];
    this.#kinds = [];
    this.#levels = [];
  }
}
