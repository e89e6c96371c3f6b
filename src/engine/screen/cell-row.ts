import { Cells } from './cells.ts';

/**
 * A row of the screen and the frames that carriage returns part its line into: only the last non-blank one is
 * the text.
 */
export class CellRow extends Cells {
  /** The last non-blank frame before a carriage return, while the row is drawn anew. */
  before: CellRow | null = null;
  /** A carriage return has come and nothing since: the next character starts a new frame. */
  rewound = false;

  /** Starts a new frame over the present one, which stays in `before` unless it is blank. */
  startFrame(): void {
    this.rewound = false;
    if (!this.isBlank()) {
      const old = new CellRow(this.clusters);
      [old.cells, this.cells] = [this.cells, old.cells];
      old.length = this.length;
      old.marked = this.marked;
      this.before = old;
    } else this.cells.fill(0, 0, this.length);
    this.length = 0;
    this.marked = false;
    this.blankTo = 0;
    this.settle();
  }

  /** The row's line is over: a frame of blanks was a wipe, the frame before it is the text. */
  close(): void {
    this.rewound = false;
    const old = this.before;
    this.before = null;
    if (old && this.isBlank()) this.take(old);
  }

  /** The row is addressed by column: the frame before shines through right of the new one, as on a terminal. */
  overlay(): void {
    this.rewound = false;
    const old = this.before;
    this.before = null;
    if (!old || old.length <= this.length) return;
    this.reserve(old.length);
    old.split(this.length);
    this.cells.set(old.cells.subarray(this.length, old.length), this.length);
    this.marked ||= old.marked;
    this.length = old.length;
  }

  private take(other: CellRow): void {
    this.cells = other.cells;
    this.length = other.length;
    this.marked = other.marked;
    this.blankTo = 0;
  }
}
