import { BinaryCheck } from './binary.ts';
import { Detector } from './detect.ts';
import { LineEndings } from './line-endings.ts';

const NUL = 0;
const LF = 0x0a;
const CR = 0x0d;
/** Raw bytes that are held for rules about the whole document (JSON, comparison with the cleaned text). */
const MAX_HELD_BYTES = 256 * 1024;

/** What is noted of the raw bytes as they pass. Native searches, but for the first MiB: next to nothing per byte. */
export class RawFacts {
  readonly detector = new Detector();
  readonly binary = new BinaryCheck();
  bytes = 0;
  nuls = 0;
  readonly endings = new LineEndings();
  #lastByte = LF;
  #held = new Uint8Array(0);

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.detector.push(chunk);
    this.binary.push(chunk);
    this.nuls += count(chunk, NUL);
    this.#noteLines(chunk);
    this.#lastByte = chunk[chunk.length - 1]!;
    this.#hold(chunk);
    this.bytes += chunk.length;
  }

  /** LF-separated lines; a trailing newline is not a line. */
  get lines(): number {
    return this.endings.lines + (this.#lastByte === LF ? 0 : 1);
  }

  /** More entries end in NUL than in LF, the last one too: `find -print0`. A stray NUL in a log is not that. */
  get isNulList(): boolean {
    return (
      this.nuls > 1 &&
      this.nuls > this.endings.lines &&
      this.#lastByte === NUL &&
      this.detector.type === 'text'
    );
  }

  /** All bytes, or null when there are too many. */
  get held(): Uint8Array | null {
    return this.bytes <= MAX_HELD_BYTES ? this.#held.subarray(0, this.bytes) : null;
  }

  #noteLines(chunk: Uint8Array): void {
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, at + 1)) {
      this.endings.add((at > 0 ? chunk[at - 1] : this.#lastByte) === CR);
    }
  }

  #hold(chunk: Uint8Array): void {
    const needed = this.bytes + chunk.length;
    if (needed > MAX_HELD_BYTES) {
      this.#held = new Uint8Array(0);
      return;
    }
    if (needed > this.#held.length) {
      const larger = new Uint8Array(Math.max(needed, this.#held.length * 2));
      larger.set(this.#held.subarray(0, this.bytes));
      this.#held = larger;
    }
    this.#held.set(chunk, this.bytes);
  }
}

function count(chunk: Uint8Array, byte: number): number {
  let found = 0;
  for (let at = chunk.indexOf(byte); at >= 0; at = chunk.indexOf(byte, at + 1)) found++;
  return found;
}
