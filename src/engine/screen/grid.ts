import { type CellRow, nextTabStop } from './cell-row.ts';
import type { History } from './history.ts';
import { LIVE_ROWS, type LiveRows, UNTOUCHED } from './live-rows.ts';
import type { Sequence } from './sequence.ts';
import { columnsOf } from './width.ts';

/** Height that programs assume on a pipe, and that caveman's own pseudo-terminal has. */
const SCREEN_ROWS = 24;
/** Width of that terminal, where it matters. */
const SCREEN_COLUMNS = 80;
/** Cursor addressing, REP and ICH reach no further right than this, or the end of a longer row. */
const MAX_COLUMN = 4096;

/**
 * Cursor and editing functions of a terminal (ECMA-48, VT220, xterm) on the live rows. Rows have no right
 * edge, so nothing wraps. Absolute rows count from the top of a 24-row screen whose bottom is the last row;
 * relative movement reaches every live row.
 */
export class Grid {
  x = 0;
  y = 0;
  /** The alternate screen is shown. */
  alternate = false;
  private top = 0;
  private readonly rows: LiveRows;
  private readonly history: History;
  /** Rows above the screen that full clears took away: saved positions survive scrolling and clearing. */
  private taken = 0;
  private saved = { x: 0, row: 0 };
  private savedMain = 0;
  private marginTop = 0;
  private marginBottom = SCREEN_ROWS - 1;
  private homed = false;
  private current: CellRow | null = null;
  private lastCode = 0;
  private inRun = false;

  constructor(rows: LiveRows, history: History) {
    this.rows = rows;
    this.history = history;
  }

  /** Whether the cursor stands below all rows at column 0 and plain lines may follow. */
  get isPlain(): boolean {
    return this.y === this.rows.count && this.x === 0 && !this.alternate && !this.hasMargins;
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

  /** LF as the terminal driver sends it: down one row, to column 0. */
  lineFeed(): void {
    this.touch().close();
    this.x = 0;
    this.down();
  }

  index(): void {
    this.addressed();
    this.down();
  }

  reverseIndex(): void {
    this.addressed();
    if (this.y === this.top + this.marginTop) this.scrollDown(1);
    else if (this.y > 0) this.y--;
  }

  save(): void {
    this.saved = { x: this.x, row: this.y + this.taken + this.history.scrolled };
  }

  /** Returns whether the row changed. */
  restore(): boolean {
    const before = this.y;
    this.addressed();
    this.x = this.saved.x;
    this.y = clamp(this.saved.row - this.taken - this.history.scrolled, 0, this.top + SCREEN_ROWS - 1);
    return this.y !== before;
  }

  /** ESC c. */
  reset(): void {
    this.clear();
    this.x = 0;
    this.y = 0;
    this.setMargins(-1, -1);
    if (this.alternate) this.leaveAlternate();
  }

  enterAlternate(): void {
    if (this.alternate) return;
    this.savedMain = this.x;
    const row = this.y - this.top;
    this.dropAll(() => this.history.emitAll());
    this.y = Math.max(0, row);
    this.alternate = true;
    this.history.cleared = true;
  }

  leaveAlternate(): void {
    if (!this.alternate) return;
    this.dropAll(() => this.history.emitAll());
    this.alternate = false;
    this.setMargins(-1, -1);
    this.x = this.savedMain;
    this.y = 0;
  }

  /** Carries out a CSI sequence. Returns whether lines and rows may differ from here on. */
  control(sequence: Sequence): boolean {
    if (sequence.prefix !== 0 && sequence.op !== 0x4a && sequence.op !== 0x4b) return false;
    const n = sequence.count();
    switch (sequence.op) {
      case 0x40: // @ ICH
        this.insertCells(n);
        return false;
      case 0x43: // C CUF
      case 0x61: // a HPR
        this.column(this.x + n);
        return false;
      case 0x44: // D CUB
        this.column(this.x - n);
        return false;
      case 0x47: // G CHA
      case 0x60: // ` HPA
        this.column(n - 1);
        return false;
      case 0x49: // I CHT
        for (let k = 0; k < Math.min(n, MAX_COLUMN); k++) this.column(nextTabStop(this.x));
        return false;
      case 0x5a: // Z CBT
        for (let k = 0; k < n && this.x > 0; k++) this.column(this.x - 1 - ((this.x - 1) % 8));
        return false;
      case 0x4b: // K EL
        this.eraseLine(Math.max(0, sequence.first));
        return false;
      case 0x4a: // J ED
        return this.eraseDisplay(Math.max(0, sequence.first));
      case 0x50: // P DCH
        this.removeCells(n);
        return false;
      case 0x58: // X ECH
        this.eraseCells(this.x, this.x + n);
        return false;
      case 0x62: // b REP
        this.repeat(n);
        return false;
      case 0x73: // s
        this.save();
        return false;
      case 0x75: // u
        return this.restore();
    }
    return this.vertical(sequence, n);
  }

  private vertical(sequence: Sequence, n: number): boolean {
    this.addressed();
    switch (sequence.op) {
      case 0x46: // F CPL
        this.x = 0;
        this.up(n);
        return true;
      case 0x41: // A CUU
      case 0x6b: // k VPB
        this.up(n);
        return true;
      case 0x45: // E CNL
        this.x = 0;
        this.y = this.lower(this.y + n);
        return true;
      case 0x42: // B CUD
      case 0x65: // e VPR
        this.y = this.lower(this.y + n);
        return true;
      case 0x48: // H CUP
      case 0x66: // f HVP
        this.y = this.lower(this.top + n - 1);
        this.x = Math.min(Math.max(1, sequence.second) - 1, this.rightmost());
        this.homed = this.y === this.top && this.x === 0;
        return true;
      case 0x64: // d VPA
        this.y = this.lower(this.top + n - 1);
        return true;
      case 0x4c: // L IL
        this.insertRows(n);
        return true;
      case 0x4d: // M DL
        this.removeRows(n);
        return true;
      case 0x53: // S SU
        for (let k = 0; k < Math.min(n, SCREEN_ROWS); k++) this.scrollUp();
        return true;
      case 0x54: // T SD
        this.scrollDown(n);
        return true;
      case 0x72: // r DECSTBM
        this.setMargins(sequence.first, sequence.second);
        this.y = this.top;
        this.x = 0;
        return true;
    }
    return false;
  }

  // ---- movement

  /** The cursor leaves by addressing: the row is cells, not frames, and a new run begins. */
  private addressed(): void {
    const row = this.current ?? this.existing();
    if (row && (row.before || row.rewound)) row.overlay();
    this.current = null;
    this.inRun = false;
    this.homed = false;
  }

  private column(column: number): void {
    this.addressed();
    this.x = clamp(column, 0, this.rightmost());
  }

  private rightmost(): number {
    return Math.max(MAX_COLUMN, this.x, this.existing()?.length ?? 0);
  }

  private up(n: number): void {
    // A count beyond all live rows means "to the top": of the screen, which a terminal would stop at.
    const stop = this.hasMargins || this.alternate || n >= LIVE_ROWS ? this.top : 0;
    this.y = Math.max(Math.min(this.y, stop), this.y - n);
  }

  private lower(row: number): number {
    return Math.min(row, Math.max(this.y, this.top + SCREEN_ROWS - 1));
  }

  private down(): void {
    this.current = null;
    this.inRun = false;
    this.homed = false;
    if (this.y === this.top + this.marginBottom && (this.hasMargins || this.alternate)) {
      this.scrollUp();
      return;
    }
    this.y++;
    if (this.y >= this.top + SCREEN_ROWS) this.top = this.y - SCREEN_ROWS + 1;
    this.trimTop();
  }

  private get hasMargins(): boolean {
    return this.marginTop !== 0 || this.marginBottom !== SCREEN_ROWS - 1;
  }

  private setMargins(first: number, second: number): void {
    const top = Math.max(1, first) - 1;
    const bottom = (second > 0 ? Math.min(second, SCREEN_ROWS) : SCREEN_ROWS) - 1;
    const valid = top < bottom;
    this.marginTop = valid ? top : 0;
    this.marginBottom = valid ? bottom : SCREEN_ROWS - 1;
    this.current = null;
  }

  // ---- rows

  /** The cursor's row, which exists from now on. */
  private touch(): CellRow {
    while (this.rows.count <= this.y) this.rows.insertUntouched(this.rows.count);
    this.trimTop();
    this.current = this.rows.cellsAt(this.y);
    return this.current;
  }

  private existing(): CellRow | null {
    if (this.y >= this.rows.count || this.rows.place(this.y) === UNTOUCHED) return null;
    return this.rows.cellsAt(this.y);
  }

  /** Sends rows above the live region to history. */
  private trimTop(): void {
    while (this.rows.count > LIVE_ROWS) {
      this.history.emitFirst();
      this.y = Math.max(0, this.y - 1);
      this.top = Math.max(0, this.top - 1);
    }
  }

  private dropAll(drop: () => void): void {
    this.addressed();
    this.popBlank(Math.min(this.y, this.rows.count) - 1);
    drop();
    this.taken += this.top;
    this.top = 0;
  }

  private beginPrint(row: CellRow): void {
    if (this.x === 0) {
      this.rows.noteGrown(this.y, row);
      row.startFrame();
    } else row.overlay();
  }

  private noteRow(index: number): void {
    if (this.rows.place(index) !== UNTOUCHED) this.rows.noteGrown(index, this.rows.cellsAt(index));
  }

  // ---- editing

  private eraseLine(mode: number): void {
    if (mode === 1) this.eraseCells(0, this.x + 1);
    else if (mode === 2) this.eraseCells(0, Number.MAX_SAFE_INTEGER);
    else if (mode === 0) this.eraseCells(this.x, Number.MAX_SAFE_INTEGER);
  }

  private eraseCells(from: number, to: number): void {
    const row = this.existing();
    this.inRun = false;
    if (!row) return;
    const rewound = row.rewound;
    // An erased line is erased: no earlier frame comes back.
    row.overlay();
    row.rewound = rewound;
    if (from < row.length) this.rows.noteGrown(this.y, row);
    row.erase(from, to);
  }

  private eraseDisplay(mode: number): boolean {
    if (mode > 2) return false;
    if (mode === 2 || (mode === 0 && this.homed)) {
      this.clear();
      return true;
    }
    if (mode === 0) {
      this.eraseLine(0);
      for (let index = this.y + 1; index < this.rows.count; index++) this.eraseRow(index);
      this.popBlank(this.y);
    } else {
      for (let index = this.top; index < Math.min(this.y, this.rows.count); index++) this.eraseRow(index);
      this.eraseLine(1);
    }
    return true;
  }

  /** Forgets blank rows below `index`. */
  private popBlank(index: number): void {
    for (let last = this.rows.count - 1; last > index; last--) {
      if (!this.rows.isBlank(last) || this.rows.evidence(last)) return;
      this.rows.pop();
    }
  }

  private eraseRow(index: number): void {
    if (this.rows.place(index) === UNTOUCHED) return;
    const row = this.rows.cellsAt(index);
    row.overlay();
    this.noteRow(index);
    row.erase(0, row.length);
  }

  /** The whole screen is wiped; the cursor stays. */
  private clear(): void {
    const row = Math.max(0, this.y - this.top);
    this.dropAll(() => this.history.clear());
    this.y = row;
    // Nothing is left that the cursor stands beside: a terminal would have wrapped it.
    this.x %= SCREEN_COLUMNS;
  }

  private insertCells(n: number): void {
    const row = this.existing();
    this.addressed();
    const count = Math.min(n, MAX_COLUMN);
    if (row && row.length + count <= 4 * MAX_COLUMN) row.insert(this.x, count);
  }

  private removeCells(n: number): void {
    const row = this.existing();
    this.addressed();
    if (!row) return;
    this.rows.noteGrown(this.y, row);
    // Closing the gap in a huge row costs its length each time: such a row is only blanked.
    if (row.length > 16 * MAX_COLUMN) row.erase(this.x, this.x + n);
    else row.remove(this.x, n);
  }

  private repeat(n: number): void {
    if (this.lastCode === 0) return;
    const room = Math.max(0, MAX_COLUMN - this.x);
    for (let k = 0; k < Math.min(n, room); k++) this.print(this.lastCode);
  }

  private insertRows(n: number): void {
    this.x = 0;
    if (this.y >= this.rows.count) return;
    const bottom = this.top + this.marginBottom;
    for (let k = 0; k < Math.min(n, bottom - this.y + 1); k++) this.openRow(this.y, bottom);
  }

  /** SD: blank rows come in at the top margin, what passes the bottom margin is gone. */
  private scrollDown(n: number): void {
    this.current = null;
    const first = this.top + this.marginTop;
    if (first >= this.rows.count) return;
    for (let k = 0; k < Math.min(n, SCREEN_ROWS); k++) this.openRow(first, this.top + this.marginBottom);
  }

  private openRow(index: number, bottom: number): void {
    if (this.rows.count > bottom) this.dropRow(bottom);
    this.rows.insertUntouched(index);
  }

  private removeRows(n: number): void {
    this.x = 0;
    const bottom = Math.min(this.top + this.marginBottom, this.rows.count - 1);
    for (let k = 0; k < Math.min(n, bottom - this.y + 1); k++) {
      this.dropRow(this.y);
      if (bottom < this.rows.count) this.rows.insertUntouched(bottom);
    }
  }

  /** Takes a row out; its failure lines pass to the row that takes its place. */
  private dropRow(index: number): void {
    this.noteRow(index);
    const evidence = this.rows.evidence(index);
    this.rows.remove(index);
    if (!evidence) return;
    if (index >= this.rows.count) this.rows.insertUntouched(this.rows.count);
    this.rows.addEvidence(Math.min(index, this.rows.count - 1), evidence);
  }

  /** The rows between the margins move up. What leaves the main screen at the top is history, not lost. */
  private scrollUp(): void {
    this.current = null;
    const first = this.top + this.marginTop;
    const bottom = this.top + this.marginBottom;
    if (first >= this.rows.count) return;
    if (this.alternate) {
      this.dropRow(first);
      if (bottom < this.rows.count) this.rows.insertUntouched(bottom);
      return;
    }
    while (this.rows.count <= bottom) this.rows.insertUntouched(this.rows.count);
    this.rows.moveUp(first, this.top);
    this.rows.insertUntouched(bottom + 1);
    this.top++;
    this.y++;
    this.trimTop();
  }

  /**
   * The input is over: blank rows from the cursor on are no text. Returns whether the cursor's row shows
   * something.
   */
  finish(): boolean {
    this.existing()?.close();
    this.current = null;
    let last = this.rows.count - 1;
    for (; last >= this.y && this.rows.isBlank(last); last--) this.rows.untouch(last);
    return last >= this.y;
  }
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}
