import { Charsets } from './charsets.ts';
import { Grid } from './grid.ts';
import { History } from './history.ts';
import { type LineSink, LiveRows } from './live-rows.ts';
import { PlainLine } from './plain-line.ts';
import { Sequence } from './sequence.ts';

/** What the two readers (`PlainReader`, `DrawingReader`) hand to each other, and what is counted on the way. */
export class ScreenState {
  readonly rows = new LiveRows();
  readonly history: History;
  readonly grid: Grid;
  readonly line: PlainLine;
  readonly sequence = new Sequence();
  readonly charsets = new Charsets();
  /** The grid is in charge: the cursor has moved. */
  drawing = false;
  /** A run of CRs was the last thing read: a line end if LF follows, else a carriage return. */
  pendingReturn = false;
  /** The grid's last line shows something and has no line end yet. */
  openLine = false;
  lineFeeds = 0;
  carriageFeeds = 0;
  /** Something was cleaned away. */
  cleaned = false;
  /** Lines are not one to one with physical lines. */
  moved = false;

  constructor(sink: LineSink) {
    this.history = new History(sink, this.rows);
    this.grid = new Grid(this.rows, this.history);
    this.line = new PlainLine(this.rows);
  }

  /** A physical line is over. */
  countLine(): void {
    this.lineFeeds++;
    if (this.pendingReturn) this.carriageFeeds++;
    this.pendingReturn = false;
  }

  /** Lines inside a swallowed string are physical lines that the view does not have. */
  countSwallowed(): void {
    const lines = this.sequence.takeLines();
    if (lines === 0) return;
    this.lineFeeds += lines;
    this.moved = true;
  }

  /**
   * Parses a C1 control at `i`, where a character of `length` bytes stands. Returns the index after it, −1 for
   * more bytes, 0 when there is none.
   */
  parseC1(bytes: Uint8Array, i: number, length: number, end: number, final: boolean): number {
    if (length === 2 && bytes[i] === 0xc2 && bytes[i + 1]! < 0xa0)
      return this.sequence.parseC1(bytes, i, end, final);
    if (length !== -1 || bytes[i]! >= 0xa0) return 0;
    return this.sequence.parseRawC1(bytes, i, end, final);
  }
}
