import { IN_ARENA, IN_CHUNK, RowRing } from './row-ring.ts';

const ARENA_MIN_BYTES = 1 << 17;
/** Above this an arena that is mostly empty is replaced by a smaller one. */
const ARENA_KEEP_BYTES = 1 << 22;
/** Shorter texts are copied byte by byte: a native copy costs more to start than that. */
const NATIVE_COPY_BYTES = 48;

/**
 * The bytes of rows: a row is a range of the chunk being read, or a range of the arena (cleaned text). The line
 * that is being written lies at the arena's top: [lineStart, top).
 */
export class RowBytes extends RowRing {
  arena: Uint8Array = new Uint8Array(ARENA_MIN_BYTES);
  lineStart = 0;
  top = 0;
  /** The bytes that IN_CHUNK rows point into. */
  chunk: Uint8Array = new Uint8Array(0);
  /** The arena before the last move, to be used again: a fresh one each time would keep the collector busy. */
  private spare: Uint8Array = new Uint8Array(ARENA_MIN_BYTES);

  /** Room for `more` bytes at the arena's top. Moves the arena's texts when it is full. */
  reserve(more: number): void {
    if (this.top + more > this.arena.length) this.compact(more);
  }

  /** Appends chunk bytes to the line that is being written. */
  append(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.top + length > this.arena.length) this.compact(length);
    if (length < NATIVE_COPY_BYTES) {
      const arena = this.arena;
      let at = this.top;
      for (let i = start; i < end; i++) arena[at++] = bytes[i]!;
    } else this.arena.set(bytes.subarray(start, end), this.top);
    this.top += length;
  }

  /** Copies the rows that still point into the chunk: after this the chunk may be reused. */
  leaveChunk(): void {
    let total = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = this.slotOf(i);
      if (this.places[slot] === IN_CHUNK) total += this.ends[slot]! - this.starts[slot]!;
    }
    this.reserve(total);
    // The rows go below the line that is being written, which moves up once.
    if (this.top > this.lineStart && total > 0)
      this.arena.copyWithin(this.lineStart + total, this.lineStart, this.top);
    let at = this.lineStart;
    for (let i = 0; i < this.count; i++) {
      const slot = this.slotOf(i);
      if (this.places[slot] === IN_CHUNK) at = this.adopt(slot, at);
    }
    this.lineStart += total;
    this.top += total;
    this.chunk = this.arena.subarray(0, 0);
  }

  /** Copies a chunk row to the arena; returns the index after it. */
  private adopt(slot: number, at: number): number {
    const start = this.starts[slot]!;
    const length = this.ends[slot]! - start;
    if (length < NATIVE_COPY_BYTES)
      for (let k = 0; k < length; k++) this.arena[at + k] = this.chunk[start + k]!;
    else this.arena.set(this.chunk.subarray(start, start + length), at);
    this.starts[slot] = at;
    this.ends[slot] = at + length;
    this.places[slot] = IN_ARENA;
    return at + length;
  }

  private compact(more: number): void {
    let live = this.top - this.lineStart;
    for (let i = 0; i < this.count; i++) {
      const slot = this.slotOf(i);
      if (this.places[slot] === IN_ARENA) live += this.ends[slot]! - this.starts[slot]!;
    }
    const wanted = Math.max(ARENA_MIN_BYTES, 2 * (live + more));
    const old = this.arena;
    const fits = old.length >= wanted && (old.length <= ARENA_KEEP_BYTES || old.length < 8 * wanted);
    const size = fits ? old.length : wanted;
    const next = this.spare.length === size ? this.spare : new Uint8Array(size);
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = this.slotOf(i);
      if (this.places[slot] !== IN_ARENA) continue;
      const length = this.ends[slot]! - this.starts[slot]!;
      next.set(old.subarray(this.starts[slot]!, this.ends[slot]!), at);
      this.starts[slot] = at;
      this.ends[slot] = at + length;
      at += length;
    }
    next.set(old.subarray(this.lineStart, this.top), at);
    this.top = at + this.top - this.lineStart;
    this.lineStart = at;
    this.arena = next;
    // A large arena is rare: two of them would only hold memory.
    this.spare = old.length <= ARENA_KEEP_BYTES ? old : new Uint8Array(0);
  }

  protected bytesOf(place: number): Uint8Array {
    return place === IN_CHUNK ? this.chunk : this.arena;
  }
}
