import { isAlphanumeric, SPACE, TAB } from './bytes.ts';
import type { Clusters } from './clusters.ts';
import { nextTabStop } from './tab-stops.ts';
import { decodeAt, encodeAt, sequenceLength } from './utf8.ts';
import { columnsOf } from './width.ts';

/** Right half of a wide character. */
const TAIL = -1;

/**
 * A row of character cells, of unlimited width. A cell holds a code point, 0 (blank: never written or erased), the
 * right half of a wide character, or a character with combining marks (`Clusters`). Trailing blanks are not text;
 * written spaces are.
 */
export class Cells {
  /** Cells from `length` on are 0. */
  cells: Int32Array = new Int32Array(80);
  length = 0;
  /** Columns [grownFrom, grownTo) hold the text that came since the row was last looked through for failure words. */
  grownFrom = 0;
  grownTo = 0;
  protected readonly clusters: Clusters;
  /** Some cell may be a cluster. */
  protected marked = false;
  /** All cells left of this are blank (keeps repeated erasing linear). */
  protected blankTo = 0;

  constructor(clusters: Clusters) {
    this.clusters = clusters;
  }

  /** Fills the empty row from UTF-8 text without controls but TAB; returns the column after it. */
  load(bytes: Uint8Array, start: number, end: number): number {
    let column = 0;
    for (let i = start; i < end; ) {
      const length = sequenceLength(bytes, i, end);
      const code = decodeAt(bytes, i, length);
      i += length;
      if (code === TAB) {
        column = nextTabStop(column);
        continue;
      }
      const width = columnsOf(code);
      if (width === 0) this.mark(column, code);
      else this.put(column, code, width);
      column += width;
    }
    return column;
  }

  /** Whether writing `width` cells at `column` would change a letter or digit into something else. */
  destroys(column: number, code: number, width: number): boolean {
    for (let k = 0; k < width && column + k < this.length; k++) {
      const old = this.clusters.codeOf(this.cells[column + k]!);
      if (old !== code && isWordCode(old)) return true;
    }
    return false;
  }

  put(column: number, code: number, width: number): void {
    this.reserve(column + width);
    // A space over something is a wipe: it counts as blank, so that no trail of spaces stays.
    const wipe = code === SPACE && column < this.length;
    if (column >= this.length && this.blankTo >= this.length) this.blankTo = column;
    this.split(column);
    if (column + width < this.length) this.split(column + width);
    this.cells[column] = wipe ? 0 : code;
    if (width === 2) this.cells[column + 1] = TAIL;
    if (column + width > this.length) this.length = column + width;
    if (column < this.blankTo) this.blankTo = column;
    if (code !== SPACE) this.grow(column, column + width);
  }

  /** What has grown was looked through. */
  settle(): void {
    this.grownFrom = 0;
    this.grownTo = 0;
  }

  /** Code point of the character left of `column`; 0 when there is a blank. */
  codeBefore(column: number): number {
    if (column < 1 || column > this.length) return 0;
    const code = this.cells[column - 1]!;
    return this.clusters.codeOf(code === TAIL ? this.cells[column - 2]! : code);
  }

  /** Attaches a combining mark to the character left of `column`. */
  mark(column: number, code: number): void {
    let base = column - 1;
    if (base > 0 && this.cells[base] === TAIL) base--;
    if (base < 0 || base >= this.length || this.cells[base] === 0) return;
    this.cells[base] = this.clusters.marked(this.cells[base]!, code);
    this.marked = true;
  }

  /** Blanks columns [from, to). */
  erase(from: number, to: number): void {
    const end = Math.min(to, this.length);
    const start = Math.max(from, Math.min(this.blankTo, end));
    if (start < end) {
      this.split(start);
      this.split(end);
      this.cells.fill(0, start, end);
    }
    if (from <= this.blankTo && end > this.blankTo) this.blankTo = end;
    if (end === this.length && from < end) this.length = Math.max(0, from);
    if (this.blankTo > this.length) this.blankTo = this.length;
  }

  /** Shifts the cells from `column` on to the right by `count` blanks. */
  insert(column: number, count: number): void {
    if (column >= this.length) return;
    this.reserve(this.length + count);
    this.split(column);
    this.cells.copyWithin(column + count, column, this.length);
    this.cells.fill(0, column, column + count);
    this.length += count;
    if (this.grownTo > column) this.grownTo += count;
    if (column < this.blankTo) this.blankTo = column;
  }

  /** Removes `count` cells at `column`; what is right of them moves left. */
  remove(column: number, count: number): void {
    if (column >= this.length) return;
    const end = Math.min(column + count, this.length);
    this.split(column);
    this.split(end);
    this.cells.copyWithin(column, end, this.length);
    this.cells.fill(0, this.length - (end - column), this.length);
    this.length -= end - column;
    if (this.grownFrom > column) this.grownFrom = column;
    this.blankTo = Math.min(this.blankTo, column);
  }

  isBlank(): boolean {
    for (let i = this.blankTo; i < this.length; i++) {
      const code = this.cells[i]!;
      if (code !== 0 && code !== SPACE) return false;
    }
    return true;
  }

  /** Bytes that `encode` may need for columns [from, to). */
  encodedBound(from: number, to: number): number {
    const end = Math.min(to, this.length);
    if (!this.marked) return 4 * Math.max(0, end - from);
    let bytes = 0;
    for (let i = from; i < end; i++) bytes += this.clusters.length(this.cells[i]!);
    return bytes;
  }

  /** Writes columns [from, to) as UTF-8 to `out` at 0; returns the length without trailing blank cells. */
  encode(out: Uint8Array, from: number, to: number): number {
    let at = 0;
    let kept = 0;
    const end = Math.min(to, this.length);
    for (let i = from; i < end; i++) {
      const code = this.cells[i]!;
      if (code === TAIL) continue;
      if (code === 0) {
        out[at++] = SPACE;
        continue;
      }
      at = code > 0 ? encodeAt(out, at, code) : this.clusters.encode(out, at, code);
      kept = at;
    }
    return kept;
  }

  /** A wide character cut in the middle at `column` becomes blank on both sides. */
  protected split(column: number): void {
    if (column <= 0 || column >= this.length || this.cells[column] !== TAIL) return;
    this.cells[column - 1] = 0;
    this.cells[column] = 0;
  }

  private grow(from: number, to: number): void {
    if (this.grownTo === 0 || from < this.grownFrom) this.grownFrom = from;
    if (to > this.grownTo) this.grownTo = to;
  }

  /** Room for `size` cells. */
  protected reserve(size: number): void {
    if (size <= this.cells.length) return;
    const grown = new Int32Array(Math.max(size, this.cells.length * 2));
    grown.set(this.cells.subarray(0, this.length));
    this.cells = grown;
  }
}

function isWordCode(code: number): boolean {
  return code > 0 && (code >= 0x80 || isAlphanumeric(code));
}
