import { SPACE } from './bytes.ts';
import { failureAt } from './failure-words.ts';
import { maskedHash } from './line-hash.ts';

/** Kinds of wiped failure lines that one row remembers; further kinds stay in the archive only. */
const MAX_KINDS = 64;
const MAX_HASHES = 4 * MAX_KINDS;
/** A wiped line is kept up to this many bytes, from a little before its failure word. */
const MAX_BYTES = 4096;
const LEAD_BYTES = 1024;

const decoder = new TextDecoder();

/** A text with its digit runs masked: progress counters of one kind look alike. */
export function maskDigits(text: string): string {
  return text.replace(/[0-9]+/g, '#').trim();
}

interface Told {
  mask: string;
  bytes: Uint8Array;
  length: number;
}

/**
 * Failure lines that were visible on a row and then erased or overwritten. One text per masked kind, the
 * last one; a text that a later one contains is dropped (a line that grew). A counter that comes again and
 * again costs one pass over its bytes each time.
 */
export class Evidence {
  /** By mask, the one told last at the end. */
  private readonly kinds = new Map<string, Told>();
  private readonly byHash = new Map<number, Told>();
  private newest: Told | null = null;

  get isEmpty(): boolean {
    return this.kinds.size === 0;
  }

  /** Remembers bytes[start,end) (valid UTF-8) if they hold a failure word. Returns whether they do. */
  addBytes(bytes: Uint8Array, start: number, end: number): boolean {
    const at = failureAt(bytes, start, end);
    if (at < 0) return false;
    let from = end - start > MAX_BYTES ? Math.max(start, at - LEAD_BYTES) : start;
    let to = Math.min(end, from + MAX_BYTES);
    while (from < end && (bytes[from]! & 0xc0) === 0x80) from++;
    while (to > from && to < end && (bytes[to]! & 0xc0) === 0x80) to--;
    while (from < to && bytes[from] === SPACE) from++;
    while (to > from && bytes[to - 1] === SPACE) to--;
    this.add(bytes.subarray(from, to));
    return true;
  }

  /** Takes over what another row remembered. */
  addAll(other: Evidence): void {
    for (const { bytes, length } of other.kinds.values()) this.add(bytes.subarray(0, length));
  }

  /** The texts that `finalText`, what the row shows in the end, does not contain; oldest first. */
  *missingFrom(finalText: string): Generator<string> {
    const final = maskDigits(finalText);
    for (const told of this.kinds.values()) {
      if (!final.includes(told.mask)) yield decoder.decode(told.bytes.subarray(0, told.length)).trim();
    }
  }

  /** Remembers a text that is known to hold a failure word. */
  private add(text: Uint8Array): void {
    const hash = maskedHash(text, 0, text.length);
    const known = this.byHash.get(hash);
    if (known && this.kinds.get(known.mask) === known) this.again(known, text);
    else if (this.kinds.size < MAX_KINDS) this.again(this.kindOf(text, hash), text);
  }

  /** The entry for a text whose hash is new. */
  private kindOf(text: Uint8Array, hash: number): Told {
    const mask = maskDigits(decoder.decode(text));
    const told = this.kinds.get(mask) ?? { mask, bytes: new Uint8Array(text.length), length: 0 };
    if (this.byHash.size >= MAX_HASHES) this.byHash.clear();
    this.byHash.set(hash, told);
    return told;
  }

  private again(told: Told, text: Uint8Array): void {
    if (told.bytes.length < text.length) told.bytes = new Uint8Array(text.length * 2);
    told.bytes.set(text);
    told.length = text.length;
    if (this.newest === told) return;
    for (const kind of this.kinds.keys()) if (told.mask.includes(kind)) this.kinds.delete(kind);
    this.kinds.set(told.mask, told);
    this.newest = told;
  }
}
