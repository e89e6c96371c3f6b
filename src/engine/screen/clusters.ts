import { encodeAt } from './utf8.ts';

/** Marks that one character may bear on the grid, and different marked characters of one screen; more are dropped. */
const MAX_MARKS = 32;
const MAX_CLUSTERS = 1 << 16;
/** Cells below this are clusters; see `CellRow`. */
const FIRST_CELL = -2;
const CODES = 0x110000;

/**
 * Characters with combining marks, so that a cell stays one number: each different one is kept once. A cell that
 * holds one is −2 − its index here.
 */
export class Clusters {
  private readonly texts: Uint8Array[] = [];
  private readonly bases: number[] = [];
  private readonly marks: number[] = [];
  private readonly known = new Map<number, number>();

  /** The cell that shows what `cell` shows with one more mark. */
  marked(cell: number, mark: number): number {
    const index = FIRST_CELL - cell;
    const key = (index >= 0 ? CODES + index : cell) * CODES + mark;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    const depth = index >= 0 ? this.marks[index]! : 0;
    if (depth === MAX_MARKS || this.texts.length === MAX_CLUSTERS) return cell;
    const text = new Uint8Array(this.length(cell) + 4);
    const end = encodeAt(text, this.encode(text, 0, cell), mark);
    this.texts.push(text.slice(0, end));
    this.bases.push(this.codeOf(cell));
    this.marks.push(depth + 1);
    const made = FIRST_CELL - (this.texts.length - 1);
    this.known.set(key, made);
    return made;
  }

  /** The character itself, without its marks. */
  codeOf(cell: number): number {
    return cell <= FIRST_CELL ? this.bases[FIRST_CELL - cell]! : cell;
  }

  /** Bytes that `encode` writes at most. */
  length(cell: number): number {
    return cell <= FIRST_CELL ? this.texts[FIRST_CELL - cell]!.length : 4;
  }

  /** Writes the cell's text at `at`; returns the index after it. */
  encode(out: Uint8Array, at: number, cell: number): number {
    if (cell > FIRST_CELL) return encodeAt(out, at, cell);
    const text = this.texts[FIRST_CELL - cell]!;
    out.set(text, at);
    return at + text.length;
  }
}
