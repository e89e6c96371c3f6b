import { type Cursor, SCREEN_ROWS } from './cursor.ts';
import type { LiveRows } from './live-rows.ts';
import { UNTOUCHED } from './row-ring.ts';

/** The rows between the margins (DECSTBM), and what moves them: SU, SD, IL, DL, and line feeds at the bottom. */
export class ScrollRegion {
  /** First and last row of the screen that scroll. */
  first = 0;
  last = SCREEN_ROWS - 1;
  private readonly cursor: Cursor;
  private readonly rows: LiveRows;

  constructor(cursor: Cursor, rows: LiveRows) {
    this.cursor = cursor;
    this.rows = rows;
  }

  /** Less than the whole screen scrolls. */
  get isSet(): boolean {
    return this.first !== 0 || this.last !== SCREEN_ROWS - 1;
  }

  /** Margins as DECSTBM gives them, from 1; −1: none. */
  set(first: number, second: number): void {
    const top = Math.max(1, first) - 1;
    const bottom = (second > 0 ? Math.min(second, SCREEN_ROWS) : SCREEN_ROWS) - 1;
    const valid = top < bottom;
    this.first = valid ? top : 0;
    this.last = valid ? bottom : SCREEN_ROWS - 1;
    this.cursor.leaveRow();
  }

  /** IL: blank rows come in at the cursor. */
  insertRows(n: number): void {
    const { cursor } = this;
    cursor.x = 0;
    if (cursor.y >= this.rows.count) return;
    const bottom = cursor.top + this.last;
    for (let k = 0; k < Math.min(n, bottom - cursor.y + 1); k++) this.openRow(cursor.y, bottom);
  }

  /** DL: rows at the cursor go, those below move up. */
  removeRows(n: number): void {
    const { cursor } = this;
    cursor.x = 0;
    const bottom = Math.min(cursor.top + this.last, this.rows.count - 1);
    for (let k = 0; k < Math.min(n, bottom - cursor.y + 1); k++) {
      this.dropRow(cursor.y);
      if (bottom < this.rows.count) this.rows.insertUntouched(bottom);
    }
  }

  /** SD: blank rows come in at the top margin, what passes the bottom margin is gone. */
  scrollDown(n: number): void {
    const { cursor } = this;
    cursor.leaveRow();
    const first = cursor.top + this.first;
    if (first >= this.rows.count) return;
    for (let k = 0; k < Math.min(n, SCREEN_ROWS); k++) this.openRow(first, cursor.top + this.last);
  }

  /**
   * The rows between the margins move up by one. What leaves the main screen at the top is history; on the
   * alternate screen (`loses`) it is gone.
   */
  scrollUp(loses: boolean): void {
    const { cursor, rows } = this;
    cursor.leaveRow();
    const first = cursor.top + this.first;
    const bottom = cursor.top + this.last;
    if (first >= rows.count) return;
    if (loses) {
      this.dropRow(first);
      if (bottom < rows.count) rows.insertUntouched(bottom);
      return;
    }
    while (rows.count <= bottom) rows.insertUntouched(rows.count);
    rows.moveUp(first, cursor.top);
    rows.insertUntouched(bottom + 1);
    cursor.top++;
    cursor.y++;
    cursor.trimTop();
  }

  private openRow(index: number, bottom: number): void {
    if (this.rows.count > bottom) this.dropRow(bottom);
    this.rows.insertUntouched(index);
  }

  /** Takes a row out; its failure lines pass to the row that takes its place. */
  private dropRow(index: number): void {
    const { rows } = this;
    if (rows.place(index) !== UNTOUCHED) rows.noteGrown(index, rows.cellsAt(index));
    const evidence = rows.evidence(index);
    rows.remove(index);
    if (!evidence) return;
    if (index >= rows.count) rows.insertUntouched(rows.count);
    rows.addEvidence(Math.min(index, rows.count - 1), evidence);
  }
}
