import type { CellRow } from './cell-row.ts';
import type { History } from './history.ts';
import type { LiveRows } from './live-rows.ts';
import { LIVE_ROWS, UNTOUCHED } from './row-ring.ts';
import { nextTabStop } from './tab-stops.ts';
import { columnsOf } from './width.ts';

/** Height that programs assume on a pipe, and that caveman's own pseudo-terminal has. */
export const SCREEN_ROWS = 24;
/** Width of that terminal, where it matters. */
const SCREEN_COLUMNS = 80;
/** Cursor addressing, REP and ICH reach no further right than this, or the end of a longer row. */
export const MAX_COLUMN = 4096;

/**
 * The cursor on the live rows, and what printing at it does. Rows have no right edge, so nothing wraps. Absolute
 * rows count from `top`, the first row of a 24-row screen whose bottom is the last row.
 */
export class Cursor {
  x = 0;
  y = 0;
  top = 0;
  /** At the screen's upper left corner, put there by addressing, and nothing printed since. */
  homed = false;
  /** Last character printed, for REP; 0 when there is none. */
  lastCode = 0;
  private readonly rows: LiveRows;
  private readonly history: History;
  /** The cursor's row, while it is known to exist. */
  private current: CellRow | null = null;
  private inRun = false;

  constructor(rows: LiveRows, history: History) {
    this.rows = rows;
    this.history = history;
  }

  /** Takes over from plain lines, with the line being written as `row`, or null when nothing is on it. */
  enter(row: CellRow | null, column: number): void {
    if (row) this.rows.pushCells(row);
    this.trimTop();
    this.y = row ? this.rows.count - 1 : this.rows.count;
    this.x = column;
    this.top = Math.max(0, this.y - SCREEN_ROWS + 1);
    this.current = row;
    this.lastCode = row?.codeBefore(column) ?? 0;
    this.homed = false;
    this.inRun = false;
  }

  print(code: number): void {
    const row = this.current ?? this.touch();
    if (row.rewound) this.beginPrint(row);
    const width = columnsOf(code);
    if (width === 0) {
      row.mark(this.x, code);
      return;
    }
    if (!this.inRun && this.x < row.length && row.destroys(this.x, code, width)) {
      this.rows.noteGrown(this.y, row);
      this.inRun = true;
    }
    row.put(this.x, code, width);
    this.x += width;
    this.lastCode = code;
    this.homed = false;
  }

  tab(): void {
    const row = this.current ?? this.touch();
    if (row.rewound) this.beginPrint(row);
    this.x = nextTabStop(this.x);
    this.inRun = false;
  }

  backspace(): void {
    if (this.x > 0) this.x--;
    this.inRun = false;
  }

  carriageReturn(): void {
    this.x = 0;
    this.inRun = false;
    const row = this.current ?? this.existing();
    if (row) row.rewound = true;
  }

  /** The cursor leaves by addressing: the row is cells, not frames, and a new run begins. */
  addressed(): void {
    const row = this.current ?? this.existing();
    if (row && (row.before || row.rewound)) row.overlay();
    this.leaveRow();
  }

  /** The cursor goes to another row, or its row may become another. */
  leaveRow(): void {
    this.current = null;
    this.inRun = false;
    this.homed = false;
  }

  /** What is printed next is no continuation of what was printed last. */
  endRun(): void {
    this.inRun = false;
  }

  toColumn(column: number): void {
    this.addressed();
    this.x = Math.max(0, Math.min(column, this.rightmost()));
  }

  rightmost(): number {
    return Math.max(MAX_COLUMN, this.x, this.existing()?.length ?? 0);
  }

  /** The row that addressing downwards reaches: the screen's last at most. */
  lower(row: number): number {
    return Math.min(row, Math.max(this.y, this.top + SCREEN_ROWS - 1));
  }

  /** One row down; the screen moves along. */
  down(): void {
    this.leaveRow();
    this.y++;
    if (this.y >= this.top + SCREEN_ROWS) this.top = this.y - SCREEN_ROWS + 1;
    this.trimTop();
  }

  /** The cursor's row, which exists from now on. */
  touch(): CellRow {
    while (this.rows.count <= this.y) this.rows.insertUntouched(this.rows.count);
    this.trimTop();
    this.current = this.rows.cellsAt(this.y);
    return this.current;
  }

  existing(): CellRow | null {
    if (this.y >= this.rows.count || this.rows.place(this.y) === UNTOUCHED) return null;
    return this.rows.cellsAt(this.y);
  }

  /** Sends rows above the live region to history. */
  trimTop(): void {
    while (this.rows.count > LIVE_ROWS) {
      this.history.emitFirst();
      this.y = Math.max(0, this.y - 1);
      this.top = Math.max(0, this.top - 1);
    }
  }

  /** All rows are gone; the cursor keeps its place on the screen, where a terminal would have wrapped it. */
  rowsGone(row: number): void {
    this.top = 0;
    this.y = row;
    this.x %= SCREEN_COLUMNS;
  }

  private beginPrint(row: CellRow): void {
    if (this.x === 0) {
      this.rows.noteGrown(this.y, row);
      row.startFrame();
    } else row.overlay();
  }
}
