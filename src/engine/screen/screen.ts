import { DrawingReader } from './drawing-reader.ts';
import { HeldBytes } from './held-bytes.ts';
import type { LineSink } from './live-rows.ts';
import { PlainReader } from './plain-reader.ts';
import { ScreenState } from './screen-state.ts';

export type { LineSink } from './live-rows.ts';

/**
 * Raw terminal output → final visible lines, as valid UTF-8 without control characters but TAB. Pure,
 * synchronous, and the same for any cut into chunks. Plain lines are passed on as ranges of the chunk; lines
 * with colours, titles or carriage returns are cleaned by copying; a line in which the cursor moves is drawn
 * on a grid of cells (`Grid`), which takes over until the cursor is below all rows again.
 *
 * Differences from a terminal, all wanted: a frame after a bare CR replaces the whole line; a frame of blanks
 * does not; a full clear keeps what was printed before it; wiped failure lines stay, once per kind; rows have
 * no right edge; hidden bidi and tag characters show as `<U+202E>`; bad UTF-8 shows as U+FFFD.
 */
export class Screen {
  private readonly state: ScreenState;
  private readonly plain: PlainReader;
  private readonly drawing: DrawingReader;
  private readonly held = new HeldBytes();

  constructor(sink: LineSink) {
    this.state = new ScreenState(sink);
    this.plain = new PlainReader(this.state);
    this.drawing = new DrawingReader(this.state);
  }

  /** LF-separated physical lines; a last one without LF counts when it shows something. */
  get rawLines(): number {
    return this.state.lineFeeds + (this.state.openLine ? 1 : 0);
  }
  /** Physical lines that ended in CR LF (or CR CR LF). */
  get crlfLines(): number {
    return this.state.carriageFeeds;
  }
  /** Whether the emitted lines, joined by LF and ended as the input was, differ from the input. */
  get changed(): boolean {
    return this.state.cleaned;
  }
  /** The emitted lines are not one to one with physical lines. Final after `finish`. */
  get redrawn(): boolean {
    return this.state.moved || this.state.history.added;
  }
  /** Nothing visible followed the last line end. Final after `finish`, as all that depends on the end. */
  get endsWithNewline(): boolean {
    return this.state.history.sent && !this.state.openLine;
  }

  /** Takes the next bytes. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.held.length > 0) {
      this.held.add(chunk);
      this.held.dropBefore(this.read(this.held.bytes, this.held.length, false));
      return;
    }
    // A Buffer and a Uint8Array have different shapes to the optimiser: always give it the same.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const next = this.read(bytes, bytes.length, false);
    if (next < bytes.length) this.held.add(bytes.subarray(next));
  }

  /** Ends the input and emits all that is left. */
  finish(): void {
    const { state } = this;
    this.held.dropBefore(this.read(this.held.bytes, this.held.length, true));
    if (state.drawing) {
      if (!state.grid.finish()) state.openLine = false;
    } else if (!state.line.isEmpty) this.endOpenLine();
    state.history.emitAll();
  }

  private endOpenLine(): void {
    const { rows, line } = this.state;
    line.end();
    const last = rows.count - 1;
    this.state.openLine = rows.text(last) !== '';
    if (!this.state.openLine) rows.untouch(last);
  }

  /** Reads bytes[0,end) as far as they can be understood; returns the index after them. */
  private read(bytes: Uint8Array, end: number, final: boolean): number {
    const { state } = this;
    state.rows.chunk = bytes;
    let i = 0;
    while (i < end) {
      const reader = state.drawing ? this.drawing : this.plain;
      const next = reader.read(bytes, i, end, final);
      if (next < 0) {
        i = -next - 1;
        break;
      }
      i = next;
    }
    state.rows.leaveChunk();
    return i;
  }
}
