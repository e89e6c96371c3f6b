import { failureAt } from './failure-words.ts';
import { maskedHash, trimmedEnd, wordHash } from './line-hash.ts';

/** Two frames of an animation are alike when this share of the smaller one's lines is in the other. */
const ALIKE = 0.5;
/** Up to so many comparisons are made one by one; more lines are looked up in a set. */
const FEW_PAIRS = 64;

/** The non-blank lines of a screen that was wiped, with what tells whether another screen is the same picture. */
export class Frame {
  count = 0;
  private bytes: Uint8Array = new Uint8Array(1024);
  private readonly ends: number[] = [0];
  private readonly words: number[] = [];
  private readonly masks: number[] = [];

  clear(): void {
    this.count = 0;
  }

  /** Adds bytes[start,end), valid UTF-8, without trailing blanks; a blank line is none. */
  add(bytes: Uint8Array, start: number, end: number): void {
    const to = trimmedEnd(bytes, start, end);
    if (to === start) return;
    const from = this.ends[this.count]!;
    const length = to - start;
    if (from + length > this.bytes.length) {
      const grown = new Uint8Array(2 * (from + length));
      grown.set(this.bytes.subarray(0, from));
      this.bytes = grown;
    }
    this.bytes.set(bytes.subarray(start, to), from);
    this.words[this.count] = wordHash(bytes, start, to);
    this.masks[this.count] = maskedHash(bytes, start, to);
    this.ends[++this.count] = from + length;
  }

  /** Calls `use` with line `index` (from 0). */
  visit(index: number, use: (bytes: Uint8Array, start: number, end: number) => void): void {
    use(this.bytes, this.ends[index]!, this.ends[index + 1]!);
  }

  /** Hash of the line with its numbers masked. */
  mask(index: number): number {
    return this.masks[index]!;
  }

  hasMask(mask: number): boolean {
    for (let i = 0; i < this.count; i++) if (this.masks[i] === mask) return true;
    return false;
  }

  tellsFailure(index: number): boolean {
    return failureAt(this.bytes, this.ends[index]!, this.ends[index + 1]!) >= 0;
  }

  /** The same picture drawn anew: at least half of the smaller one's lines are in the other, whatever their numbers. */
  isLike(other: Frame): boolean {
    const small = this.count < other.count ? this : other;
    const large = this.count < other.count ? other : this;
    const known = small.count * large.count > FEW_PAIRS ? new Set(large.words.slice(0, large.count)) : null;
    let distinct = 0;
    let common = 0;
    for (let i = 0; i < small.count; i++) {
      const word = small.words[i]!;
      if (small.indexOf(word) !== i) continue;
      distinct++;
      if (known ? known.has(word) : large.indexOf(word) >= 0) common++;
    }
    return distinct > 0 && common >= distinct * ALIKE;
  }

  private indexOf(word: number): number {
    for (let i = 0; i < this.count; i++) if (this.words[i] === word) return i;
    return -1;
  }
}
