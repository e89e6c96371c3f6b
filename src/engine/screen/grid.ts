import type { CellRow } from './cell-row.ts';
import { Cursor, MAX_COLUMN, SCREEN_ROWS } from './cursor.ts';
import { Eraser } from './eraser.ts';
import type { History } from './history.ts';
import type { LiveRows } from './live-rows.ts';
import { LIVE_ROWS } from './row-ring.ts';
import { ScrollRegion } from './scroll-region.ts';

/**
 * The terminal's screen on the live rows: cursor, scroll region, erasing, the alternate screen. Relative movement
 * reaches every live row, absolute movement the 24 of the screen. What each CSI sequence does is in `control.ts`.
 */
export class Grid {
  readonly cursor: Cursor;
  private readonly rows: LiveRows;
  private readonly history: History;
  readonly region: ScrollRegion;
  readonly eraser: Eraser;
  /** The alternate screen is shown. */
  alternate = false;
  /** Rows above the screen that full clears took away: saved positions survive scrolling and clearing. */
  private taken = 0;
  private saved = { x: 0, row: 0 };
  private savedMain = 0;

  constructor(rows: LiveRows, history: History) {
    this.rows = rows;
    this.history = history;
    this.cursor = new Cursor(rows, history);
    this.region = new ScrollRegion(this.cursor, rows);
    this.eraser = new Eraser(this.cursor, rows);
  }

  /** Whether the cursor stands below all rows at column 0 and plain lines may follow. */
  get isPlain(): boolean {
    const { x, y } = this.cursor;
    return y === this.rows.count && x === 0 && !this.alternate && !this.region.isSet;
  }

  /** Takes over from plain lines, with the line being written as `row`, or null when nothing is on it. */
  enter(row: CellRow | null, column: number): void {
    this.cursor.enter(row, column);
  }

  /** LF as the terminal driver sends it: down one row, to column 0. */
  lineFeed(): void {
    this.cursor.touch().close();
    this.cursor.x = 0;
    this.down();
  }

  index(): void {
    this.cursor.addressed();
    this.down();
  }

  reverseIndex(): void {
    const { cursor } = this;
    cursor.addressed();
    if (cursor.y === cursor.top + this.region.first) this.region.scrollDown(1);
    else if (cursor.y > 0) cursor.y--;
  }

  save(): void {
    const { x, y } = this.cursor;
    this.saved = { x, row: y + this.taken + this.history.scrolled };
  }

  /** Returns whether the row changed. */
  restore(): boolean {
    const { cursor } = this;
    const before = cursor.y;
    cursor.addressed();
    cursor.x = this.saved.x;
    const row = this.saved.row - this.taken - this.history.scrolled;
    cursor.y = Math.max(0, Math.min(row, cursor.top + SCREEN_ROWS - 1));
    return cursor.y !== before;
  }

  /** ESC c. */
  reset(): void {
    this.clear();
    this.cursor.x = 0;
    this.cursor.y = 0;
    this.region.set(-1, -1);
    if (this.alternate) this.leaveAlternate();
  }

  enterAlternate(): void {
    if (this.alternate) return;
    const { cursor } = this;
    this.savedMain = cursor.x;
    const row = cursor.y - cursor.top;
    this.dropAll(() => this.history.emitAll());
    cursor.y = Math.max(0, row);
    this.alternate = true;
    this.history.cleared = true;
  }

  leaveAlternate(): void {
    if (!this.alternate) return;
    this.dropAll(() => this.history.emitAll());
    this.alternate = false;
    this.region.set(-1, -1);
    this.cursor.x = this.savedMain;
    this.cursor.y = 0;
  }

  /** The input is over: blank rows from the cursor on are no text. Returns whether the cursor's row shows something. */
  finish(): boolean {
    const { cursor, rows } = this;
    cursor.existing()?.close();
    cursor.leaveRow();
    let last = rows.count - 1;
    for (; last >= cursor.y && rows.isBlank(last); last--) rows.untouch(last);
    return last >= cursor.y;
  }

  /** CUU. */
  up(n: number): void {
    const { cursor } = this;
    // A count beyond all live rows means "to the top": of the screen, which a terminal would stop at.
    const stop = this.region.isSet || this.alternate || n >= LIVE_ROWS ? cursor.top : 0;
    cursor.y = Math.max(Math.min(cursor.y, stop), cursor.y - n);
  }

  private down(): void {
    const { cursor, region } = this;
    if (cursor.y === cursor.top + region.last && (region.isSet || this.alternate))
      region.scrollUp(this.alternate);
    else cursor.down();
  }

  /** REP. */
  repeat(n: number): void {
    const { cursor } = this;
    if (cursor.lastCode === 0) return;
    const room = Math.max(0, MAX_COLUMN - cursor.x);
    for (let k = 0; k < Math.min(n, room); k++) cursor.print(cursor.lastCode);
  }

  /** ED. Returns whether lines and rows may differ from here on. */
  eraseDisplay(mode: number): boolean {
    if (mode > 2) return false;
    if (mode === 2 || (mode === 0 && this.cursor.homed)) this.clear();
    else if (mode === 0) this.eraser.below();
    else this.eraser.above();
    return true;
  }

  /** The whole screen is wiped; the cursor stays. */
  private clear(): void {
    const row = Math.max(0, this.cursor.y - this.cursor.top);
    this.dropAll(() => this.history.clear());
    this.cursor.rowsGone(row);
  }

  private dropAll(drop: () => void): void {
    const { cursor } = this;
    cursor.addressed();
    this.eraser.popBlank(Math.min(cursor.y, this.rows.count) - 1);
    drop();
    this.taken += cursor.top;
    cursor.top = 0;
  }
}
