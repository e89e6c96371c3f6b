import type { CellRow } from './cell-row.ts';
import type { Evidence } from './evidence.ts';

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

/** A ring of rows, oldest first, without an object per plain row. What a row is made of is its `place`. */
export class RowRing {
  count = 0;
  protected readonly starts = new Int32Array(SLOTS);
  protected readonly ends = new Int32Array(SLOTS);
  protected readonly places = new Uint8Array(SLOTS);
  protected readonly cells: (CellRow | null)[] = new Array(SLOTS).fill(null);
  private readonly notes: (Evidence | null)[] = new Array(SLOTS).fill(null);
  private head = 0;
  private noted = 0;

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

  place(index: number): number {
    return this.places[this.slotOf(index)]!;
  }

  evidence(index: number): Evidence | null {
    return this.noted === 0 ? null : this.notes[this.slotOf(index)]!;
  }

  setEvidence(index: number, evidence: Evidence | null): void {
    const slot = this.slotOf(index);
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
    const slot = this.slotOf(index);
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
    this.wipeSlot(this.slotOf(index));
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

  /** Where row `index` lies in the arrays. */
  protected slotOf(index: number): number {
    return (this.head + index) & MASK;
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
    const slot = this.slotOf(index);
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
