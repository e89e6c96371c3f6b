import { CellRow } from './cell-row.ts';
import { Clusters } from './clusters.ts';
import { Evidence } from './evidence.ts';
import { failureAt } from './failure-words.ts';
import { RowBytes } from './row-bytes.ts';
import { IN_ARENA, IN_CELLS, IN_CHUNK, UNTOUCHED } from './row-ring.ts';

/** Receives each final visible line in order: valid UTF-8 in bytes[start,end), only valid during the call. */
export type LineSink = (bytes: Uint8Array, start: number, end: number) => void;

const SCRATCH_KEEP_BYTES = 1 << 20;

/** Columns beside a change that may hold the rest of its word and what takes the alarm away ("0 errors"). */
const WORD_COLUMNS = 32;
/** Columns on either side of a change that are noted with it, and most that are looked through at once. */
const NEAR_COLUMNS = 512;
const MAX_LOOK_COLUMNS = 1 << 16;

const decoder = new TextDecoder();

/** The rows of the live region, as bytes or as cells, with the failure lines that they cover. */
export class LiveRows extends RowBytes {
  private readonly clusters = new Clusters();
  private scratch: Uint8Array = new Uint8Array(1024);

  /** Cells for a row of this screen. */
  newRow(): CellRow {
    return new CellRow(this.clusters);
  }

  /** The row's cells; a row of bytes is turned into cells first. */
  cellsAt(index: number): CellRow {
    const slot = this.slotOf(index);
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
    const slot = this.slotOf(index);
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
    const slot = this.slotOf(index);
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
}
