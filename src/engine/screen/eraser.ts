import { type Cursor, MAX_COLUMN } from './cursor.ts';
import type { LiveRows } from './live-rows.ts';
import { UNTOUCHED } from './row-ring.ts';

const TO_END = Number.MAX_SAFE_INTEGER;
/** Closing a gap in a row costs its length each time: in a longer row what is removed is only blanked. */
const MAX_CLOSED_ROW = 16 * MAX_COLUMN;
/** Nor is a gap opened in a row longer than this. */
const MAX_OPENED_ROW = 4 * MAX_COLUMN;

/** Erasing and editing of cells: EL, ED, ECH, ICH, DCH. Failure lines that go are noted first. */
export class Eraser {
  private readonly cursor: Cursor;
  private readonly rows: LiveRows;

  constructor(cursor: Cursor, rows: LiveRows) {
    this.cursor = cursor;
    this.rows = rows;
  }

  /** EL: from the cursor (0), up to it (1), the whole row (2). */
  line(mode: number): void {
    if (mode === 1) this.cells(0, this.cursor.x + 1);
    else if (mode === 2) this.cells(0, TO_END);
    else if (mode === 0) this.cells(this.cursor.x, TO_END);
  }

  /** Blanks columns [from, to) of the cursor's row. */
  cells(from: number, to: number): void {
    const row = this.cursor.existing();
    this.cursor.endRun();
    if (!row) return;
    const rewound = row.rewound;
    // An erased line is erased: no earlier frame comes back.
    row.overlay();
    row.rewound = rewound;
    if (from < row.length) this.rows.noteGrown(this.cursor.y, row);
    row.erase(from, to);
  }

  /** ED 0: all from the cursor on. */
  below(): void {
    this.line(0);
    for (let index = this.cursor.y + 1; index < this.rows.count; index++) this.row(index);
    this.popBlank(this.cursor.y);
  }

  /** ED 1: all up to the cursor. */
  above(): void {
    const { cursor, rows } = this;
    for (let index = cursor.top; index < Math.min(cursor.y, rows.count); index++) this.row(index);
    this.line(1);
  }

  /** Forgets blank rows below `index`. */
  popBlank(index: number): void {
    for (let last = this.rows.count - 1; last > index; last--) {
      if (!this.rows.isBlank(last) || this.rows.evidence(last)) return;
      this.rows.pop();
    }
  }

  /** ICH. */
  insert(n: number): void {
    const row = this.cursor.existing();
    this.cursor.addressed();
    const count = Math.min(n, MAX_COLUMN);
    if (row && row.length + count <= MAX_OPENED_ROW) row.insert(this.cursor.x, count);
  }

  /** DCH. */
  remove(n: number): void {
    const row = this.cursor.existing();
    this.cursor.addressed();
    if (!row) return;
    this.rows.noteGrown(this.cursor.y, row);
    if (row.length > MAX_CLOSED_ROW) row.erase(this.cursor.x, this.cursor.x + n);
    else row.remove(this.cursor.x, n);
  }

  private row(index: number): void {
    if (this.rows.place(index) === UNTOUCHED) return;
    const row = this.rows.cellsAt(index);
    row.overlay();
    this.rows.noteGrown(index, row);
    row.erase(0, row.length);
  }
}
