import { CellRow } from './cell-row.ts';
import { Clusters } from './clusters.ts';
import { Evidence } from './evidence.ts';
import { failureAt } from './failure-words.ts';

/** Receives each final visible line in order: valid UTF-8 in bytes[start,end), only valid during the call. */
export type LineSink = (bytes: Uint8Array, start: number, end: number) => void;

/**
 * Rows that can still change. More than the 24 of the screen: on a pipe a program does not know the height,
 * and a block of 40 progress lines that is redrawn by cursor-up must still be one block.
 */
export const LIVE_ROWS = 128;
/** Physical slots of the ring: a power of two above LIVE_ROWS + 24 rows below + one. */
const SLOTS = 256;
const MASK = SLOTS - 1;

/** Where the text of a row is. */
export const IN_CHUNK = 0;
export const IN_ARENA = 1;
export const IN_CELLS = 2;
/** Never written: a gap that the cursor jumped over. */
export const UNTOUCHED = 3;

const ARENA_MIN_BYTES = 1 << 17;
/** Above this an arena that is mostly empty is replaced by a smaller one. */
const ARENA_KEEP_BYTES = 1 << 22;
const SCRATCH_KEEP_BYTES = 1 << 20;

/** Columns beside a change that may hold the rest of its word and what takes the alarm away ("0 errors"). */
const WORD_COLUMNS = 32;
/** Columns on either side of a change that are noted with it, and most that are looked through at once. */
const NEAR_COLUMNS = 512;
const MAX_LOOK_COLUMNS = 1 << 16;

const decoder = new TextDecoder();

/**
 * The rows of the live region, oldest first, without an object per plain row: a row is a range of the chunk
 * being read, a range of the arena (cleaned text), or cells. The line that is being written lies at the
 * arena's top: [lineStart, top).
 */
export class LiveRows {
  count = 0;
  arena: Uint8Array = new Uint8Array(ARENA_MIN_BYTES);
  lineStart = 0;
  top = 0;
  /** The bytes that IN_CHUNK rows point into. */
  chunk: Uint8Array = new Uint8Array(0);
  /** The arena before the last move, to be used again: a fresh one each time would keep the collector busy. */
  private spare: Uint8Array = new Uint8Array(ARENA_MIN_BYTES);
  private head = 0;
  private readonly clusters = new Clusters();
  private readonly starts = new Int32Array(SLOTS);
  private readonly ends = new Int32Array(SLOTS);
  private readonly places = new Uint8Array(SLOTS);
  private readonly cells: (CellRow | null)[] = new Array(SLOTS).fill(null);
  private readonly notes: (Evidence | null)[] = new Array(SLOTS).fill(null);
  private noted = 0;
  private scratch: Uint8Array = new Uint8Array(1024);

  /** Appends a row that is bytes [start,end) of `place`. */
  push(place: number, start: number, end: number): void {
    const slot = (this.head + this.count++) & MASK;
    this.starts[slot] = start;
    this.ends[slot] = end;
    this.places[slot] = place;
  }

  pushCells(row: CellRow): void {
    const slot = (this.head + this.count++) & MASK;
    this.places[slot] = IN_CELLS;
    this.cells[slot] = row;
  }

  /** Cells for a row of this screen. */
  newRow(): CellRow {
    return new CellRow(this.clusters);
  }

  place(index: number): number {
    return this.places[(this.head + index) & MASK]!;
  }

  /** The row's cells; a row of bytes is turned into cells first. */
  cellsAt(index: number): CellRow {
    const slot = (this.head + index) & MASK;
    const place = this.places[slot]!;
    if (place === IN_CELLS) return this.cells[slot]!;
    const row = this.newRow();
    if (place !== UNTOUCHED) row.load(this.bytesOf(place), this.starts[slot]!, this.ends[slot]!);
    this.places[slot] = IN_CELLS;
    this.cells[slot] = row;
    return row;
  }

  /** Calls `use` with the row's final text. */
  visit(index: number, use: LineSink): void {
    const slot = (this.head + index) & MASK;
    const place = this.places[slot]!;
    if (place === IN_CHUNK) use(this.chunk, this.starts[slot]!, this.ends[slot]!);
    else if (place === IN_ARENA) use(this.arena, this.starts[slot]!, this.ends[slot]!);
    else if (place === UNTOUCHED) use(this.scratch, 0, 0);
    else {
      const row = this.cells[slot]!;
      row.close();
      const length = this.encode(row, 0, row.length);
      use(this.scratch, 0, length);
    }
  }

  text(index: number): string {
    let text = '';
    this.visit(index, (bytes, start, end) => {
      text = decoder.decode(bytes.subarray(start, end));
    });
    return text;
  }

  isBlank(index: number): boolean {
    const slot = (this.head + index) & MASK;
    if (this.places[slot] === UNTOUCHED) return true;
    if (this.places[slot] === IN_CELLS) return this.cells[slot]!.isBlank() && !this.cells[slot]!.before;
    return this.text(index).trim() === '';
  }

  /**
   * Looks through what has grown on a row since the last look, and notes the text around it if it holds a failure
   * word. Costs no more than what has grown, so that editing a long row stays linear.
   */
  noteGrown(index: number, row: CellRow): void {
    if (row.grownTo === 0) return;
    const to = Math.min(row.length, row.grownTo + WORD_COLUMNS);
    const from = Math.max(0, row.grownFrom - WORD_COLUMNS, to - MAX_LOOK_COLUMNS);
    row.settle();
    if (failureAt(this.scratch, 0, this.encode(row, from, to)) < 0) return;
    const length = this.encode(row, Math.max(0, from - NEAR_COLUMNS), to + NEAR_COLUMNS);
    const evidence = this.evidence(index) ?? new Evidence();
    if (evidence.addBytes(this.scratch, 0, length)) this.setEvidence(index, evidence);
  }

  evidence(index: number): Evidence | null {
    return this.noted === 0 ? null : this.notes[(this.head + index) & MASK]!;
  }

  setEvidence(index: number, evidence: Evidence | null): void {
    const slot = (this.head + index) & MASK;
    if (this.notes[slot]) this.noted--;
    if (evidence) this.noted++;
    this.notes[slot] = evidence;
  }

  /** Adds evidence to what a row already holds. */
  addEvidence(index: number, evidence: Evidence): void {
    const present = this.evidence(index);
    if (present) present.addAll(evidence);
    else this.setEvidence(index, evidence);
  }

  /** Forgets the oldest row. */
  shift(): void {
    this.wipeSlot(this.head);
    this.head = (this.head + 1) & MASK;
    this.count--;
  }

  /** Forgets the newest row. */
  pop(): void {
    this.wipeSlot((this.head + --this.count) & MASK);
  }

  /** Makes a row one that was never written; its evidence stays. */
  untouch(index: number): void {
    const slot = (this.head + index) & MASK;
    this.places[slot] = UNTOUCHED;
    this.cells[slot] = null;
  }

  /** Puts a never-written row before `index`. */
  insertUntouched(index: number): void {
    this.count++;
    for (let i = this.count - 1; i > index; i--) this.copySlot(i - 1, i);
    this.blankSlot(index);
  }

  /** Takes the row at `index` out. */
  remove(index: number): void {
    this.wipeSlot((this.head + index) & MASK);
    for (let i = index; i < this.count - 1; i++) this.copySlot(i + 1, i);
    this.blankSlot(this.count - 1);
    this.count--;
  }

  /** Moves the row at `from` before the row at `to` (to ≤ from). */
  moveUp(from: number, to: number): void {
    if (from === to) return;
    const slot = (this.head + from) & MASK;
    const kept = [this.starts[slot]!, this.ends[slot]!, this.places[slot]!] as const;
    const cells = this.cells[slot]!;
    const note = this.notes[slot]!;
    for (let i = from; i > to; i--) this.copySlot(i - 1, i);
    const target = (this.head + to) & MASK;
    [this.starts[target], this.ends[target], this.places[target]] = kept;
    this.cells[target] = cells;
    this.notes[target] = note;
  }

  /** Room for `more` bytes at the arena's top. Moves the arena's texts when it is full. */
  reserve(more: number): void {
    if (this.top + more > this.arena.length) this.compact(more);
  }

  /** Appends chunk bytes to the line that is being written. */
  append(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start;
    if (this.top + length > this.arena.length) this.compact(length);
    if (length < 48) {
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
      const slot = (this.head + i) & MASK;
      if (this.places[slot] === IN_CHUNK) total += this.ends[slot]! - this.starts[slot]!;
    }
    this.reserve(total);
    // The rows go below the line that is being written, which moves up once.
    if (this.top > this.lineStart && total > 0)
      this.arena.copyWithin(this.lineStart + total, this.lineStart, this.top);
    let at = this.lineStart;
    for (let i = 0; i < this.count; i++) {
      const slot = (this.head + i) & MASK;
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
    if (length < 48) for (let k = 0; k < length; k++) this.arena[at + k] = this.chunk[start + k]!;
    else this.arena.set(this.chunk.subarray(start, start + length), at);
    this.starts[slot] = at;
    this.ends[slot] = at + length;
    this.places[slot] = IN_ARENA;
    return at + length;
  }

  /** Encodes cells into the scratch buffer; returns the length. */
  private encode(row: CellRow, from: number, to: number): number {
    const bound = row.encodedBound(from, to);
    if (
      bound > this.scratch.length ||
      (this.scratch.length > SCRATCH_KEEP_BYTES && bound < SCRATCH_KEEP_BYTES)
    )
      this.scratch = new Uint8Array(Math.max(bound, 1024));
    return row.encode(this.scratch, from, to);
  }

  private bytesOf(place: number): Uint8Array {
    return place === IN_CHUNK ? this.chunk : this.arena;
  }

  private compact(more: number): void {
    let live = this.top - this.lineStart;
    for (let i = 0; i < this.count; i++) {
      const slot = (this.head + i) & MASK;
      if (this.places[slot] === IN_ARENA) live += this.ends[slot]! - this.starts[slot]!;
    }
    const wanted = Math.max(ARENA_MIN_BYTES, 2 * (live + more));
    const old = this.arena;
    const fits = old.length >= wanted && (old.length <= ARENA_KEEP_BYTES || old.length < 8 * wanted);
    const size = fits ? old.length : wanted;
    const next = this.spare.length === size ? this.spare : new Uint8Array(size);
    let at = 0;
    for (let i = 0; i < this.count; i++) {
      const slot = (this.head + i) & MASK;
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

  private copySlot(from: number, to: number): void {
    const a = (this.head + from) & MASK;
    const b = (this.head + to) & MASK;
    this.starts[b] = this.starts[a]!;
    this.ends[b] = this.ends[a]!;
    this.places[b] = this.places[a]!;
    this.cells[b] = this.cells[a]!;
    this.notes[b] = this.notes[a]!;
  }

  /** Makes a slot an untouched row, when what it held lives on elsewhere. */
  private blankSlot(index: number): void {
    const slot = (this.head + index) & MASK;
    this.places[slot] = UNTOUCHED;
    this.cells[slot] = null;
    this.notes[slot] = null;
  }

  private wipeSlot(slot: number): void {
    if (this.places[slot] === IN_CELLS) this.cells[slot] = null;
    if (this.noted > 0 && this.notes[slot]) {
      this.notes[slot] = null;
      this.noted--;
    }
  }
}
