import { isBlank } from './bytes.ts';
import type { CellRow } from './cell-row.ts';
import { Evidence } from './evidence.ts';
import type { LiveRows } from './live-rows.ts';
import { IN_ARENA } from './row-ring.ts';

/**
 * The line that is being written at the bottom, as bytes in the arena, while nothing but carriage returns
 * moves the cursor. Of its frames (parts between carriage returns) only the last non-blank one is kept,
 * in front of the frame that is being written.
 */
export class PlainLine {
  private readonly rows: LiveRows;
  /** Length of the last non-blank frame, at the start of the line; −1 when there is none. */
  private beforeLength = -1;
  private evidence: Evidence | null = null;

  constructor(rows: LiveRows) {
    this.rows = rows;
  }

  /** Nothing has been written or remembered yet. */
  get isEmpty(): boolean {
    return this.rows.top === this.rows.lineStart && this.beforeLength < 0 && !this.evidence;
  }

  /** The cursor stands at column 0. */
  get atStart(): boolean {
    return this.rows.top === this.frameStart;
  }

  private get frameStart(): number {
    return this.rows.lineStart + Math.max(0, this.beforeLength);
  }

  /** A bare carriage return: the frame is over; one of blanks only was a wipe. */
  carriageReturn(): void {
    const { rows } = this;
    const start = this.frameStart;
    if (isBlank(rows.arena, start, rows.top)) {
      rows.top = start;
      return;
    }
    this.note(rows.lineStart, start);
    rows.arena.copyWithin(rows.lineStart, start, rows.top);
    this.beforeLength = rows.top - start;
    rows.top = rows.lineStart + this.beforeLength;
  }

  /** Erases to the end of the line: the earlier frame cannot come back. */
  eraseRest(): void {
    if (this.beforeLength < 0) return;
    const { rows } = this;
    const start = this.frameStart;
    this.note(rows.lineStart, start);
    rows.arena.copyWithin(rows.lineStart, start, rows.top);
    rows.top -= this.beforeLength;
    this.beforeLength = -1;
  }

  /** The line is over: its text becomes a row. */
  end(): void {
    const { rows } = this;
    let start = this.frameStart;
    let end = rows.top;
    if (this.beforeLength >= 0) {
      if (isBlank(rows.arena, start, end)) {
        end = start;
        start = rows.lineStart;
      } else this.note(rows.lineStart, start);
    }
    rows.push(IN_ARENA, start, end);
    rows.lineStart = rows.top;
    if (this.evidence) rows.setEvidence(rows.count - 1, this.evidence);
    this.beforeLength = -1;
    this.evidence = null;
  }

  /** Hands the line over as cells; returns the row, the cursor's column and what was noted so far. */
  toCells(): { row: CellRow; column: number; evidence: Evidence | null } {
    const { rows } = this;
    const start = this.frameStart;
    if (rows.top > start && this.beforeLength >= 0) this.note(rows.lineStart, start);
    const { evidence } = this;
    const row = rows.newRow();
    let column = 0;
    if (this.beforeLength >= 0) {
      row.load(rows.arena, rows.lineStart, start);
      row.rewound = true;
      if (rows.top > start) {
        row.startFrame();
        column = row.load(rows.arena, start, rows.top);
      }
    } else column = row.load(rows.arena, start, rows.top);
    rows.top = rows.lineStart;
    this.beforeLength = -1;
    this.evidence = null;
    return { row, column, evidence };
  }

  private note(start: number, end: number): void {
    if (start === end) return;
    const evidence = this.evidence ?? new Evidence();
    if (evidence.addBytes(this.rows.arena, start, end)) this.evidence = evidence;
  }
}
