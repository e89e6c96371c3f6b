import { failureAt } from './failure-words.ts';

/** Kinds of wiped failure lines that one row remembers; further kinds stay in the archive only. */
const MAX_KINDS = 64;
/** A wiped line is kept up to this many bytes, from a little before its failure word. */
const MAX_BYTES = 4096;
const LEAD_BYTES = 1024;

const decoder = new TextDecoder();

/** A text with its digit runs masked: progress counters of one kind look alike. */
export function maskDigits(text: string): string {
  return text.replace(/[0-9]+/g, '#').trim();
}

/**
 * Failure lines that were visible on a row and then erased or overwritten. One text per masked kind, the
 * last one; a text that a later one contains is dropped (a line that grew).
 */
export class Evidence {
  private readonly kinds = new Map<string, string>();

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
    this.add(decoder.decode(bytes.subarray(from, to)));
    return true;
  }

  /** Remembers a text that is known to hold a failure word. */
  add(text: string): void {
    const line = text.trim();
    const mask = maskDigits(line);
    for (const kind of this.kinds.keys()) if (mask.includes(kind)) this.kinds.delete(kind);
    if (this.kinds.size < MAX_KINDS) this.kinds.set(mask, line);
  }

  /** Takes over what another row remembered. */
  addAll(other: Evidence): void {
    for (const line of other.kinds.values()) this.add(line);
  }

  /** The texts that `finalText`, what the row shows in the end, does not contain; oldest first. */
  *missingFrom(finalText: string): Generator<string> {
    const final = maskDigits(finalText);
    for (const [mask, line] of this.kinds) if (!final.includes(mask)) yield line;
  }
}
