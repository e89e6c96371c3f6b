import { BS, CR, ESC, FF, LF, SI, SO, SPECIAL, TAB, VT } from './bytes.ts';
import { graphicOf } from './graphics.ts';
import { Grid } from './grid.ts';
import { History } from './history.ts';
import { IN_CHUNK, LIVE_ROWS, type LineSink, LiveRows } from './live-rows.ts';
import { EDITING, isAlternateMode, isForeignPrivate, isMode, isMovingEscape } from './meaning.ts';
import { PlainLine } from './plain-line.ts';
import { CHARSET, CSI, ESCAPE, INVALID, NOTHING, Sequence } from './sequence.ts';
import { isDelicate, skipText } from './text-run.ts';
import { decodeAt, hiddenForm, isHidden, sequenceLength } from './utf8.ts';

export type { LineSink } from './live-rows.ts';

/** A line with more bytes than this is not turned into cells: what moves the cursor in it is dropped. */
const MAX_CELL_LINE_BYTES = 8 << 20;
const REPLACEMENT = new Uint8Array([0xef, 0xbf, 0xbd]);
const encoder = new TextEncoder();

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
  private lineFeeds = 0;
  private carriageFeeds = 0;
  private cleaned = false;
  private moved = false;
  private openLine = false;
  private readonly rows = new LiveRows();
  private readonly history: History;
  private readonly grid: Grid;
  private readonly line: PlainLine;
  private readonly sequence = new Sequence();
  private drawing = false;
  /** A run of CRs was the last thing read: a line end if LF follows, else a carriage return. */
  private pendingReturn = false;
  private held: Uint8Array = new Uint8Array(0);
  private heldLength = 0;
  private graphics = [false, false];
  private shifted = 0;

  constructor(sink: LineSink) {
    this.history = new History(sink, this.rows);
    this.grid = new Grid(this.rows, this.history);
    this.line = new PlainLine(this.rows);
  }

  /** LF-separated physical lines; a last one without LF counts when it shows something. */
  get rawLines(): number {
    return this.lineFeeds + (this.openLine ? 1 : 0);
  }
  /** Physical lines that ended in CR LF (or CR CR LF). */
  get crlfLines(): number {
    return this.carriageFeeds;
  }
  /** Whether the emitted lines, joined by LF and ended as the input was, differ from the input. */
  get changed(): boolean {
    return this.cleaned;
  }
  /** The emitted lines are not one to one with physical lines. Final after `finish`. */
  get redrawn(): boolean {
    return this.moved || this.history.added;
  }
  /** Nothing visible followed the last line end. Final after `finish`, as all that depends on the end. */
  get endsWithNewline(): boolean {
    return this.history.sent && !this.openLine;
  }

  /** Takes the next bytes. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.heldLength > 0) {
      this.hold(chunk);
      this.read(this.held, this.heldLength, false);
    } else {
      // A Buffer and a Uint8Array have different shapes to the optimiser: always give it the same.
      this.read(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength), chunk.length, false);
    }
  }

  /** Ends the input and emits all that is left. */
  finish(): void {
    this.read(this.held, this.heldLength, true);
    if (this.drawing) {
      if (!this.grid.finish()) this.openLine = false;
    } else if (!this.line.isEmpty) this.endOpenLine();
    this.history.emitAll();
  }

  private endOpenLine(): void {
    this.line.end();
    const last = this.rows.count - 1;
    this.openLine = this.rows.text(last) !== '';
    if (!this.openLine) this.rows.untouch(last);
  }

  // ---- bytes

  private hold(chunk: Uint8Array): void {
    const length = this.heldLength + chunk.length;
    if (length > this.held.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.held.length, 4096));
      grown.set(this.held.subarray(0, this.heldLength));
      this.held = grown;
    }
    this.held.set(chunk, this.heldLength);
    this.heldLength = length;
  }

  private read(bytes: Uint8Array, end: number, final: boolean): void {
    this.rows.chunk = bytes;
    let i = 0;
    while (i < end) {
      const next = this.drawing ? this.draw(bytes, i, end, final) : this.copy(bytes, i, end, final);
      if (next < 0) {
        i = -next - 1;
        break;
      }
      i = next;
    }
    this.rows.leaveChunk();
    this.keepRest(bytes, i, end);
  }

  private keepRest(bytes: Uint8Array, i: number, end: number): void {
    if (bytes === this.held) {
      this.held.copyWithin(0, i, end);
      this.heldLength = end - i;
      if (this.heldLength === 0 && this.held.length > 1 << 20) this.held = new Uint8Array(0);
    } else if (i < end) this.hold(bytes.subarray(i, end));
  }

  /**
   * The fast path: reads plain lines from `i`. Returns the index where drawing takes over or the input ends,
   * or −1 − index when more bytes are needed to understand what stands at that index.
   */
  private copy(bytes: Uint8Array, from: number, end: number, final: boolean): number {
    const { rows, line } = this;
    let i = from;
    const view = new DataView(bytes.buffer, bytes.byteOffset, end);
    let kept = from; // bytes[kept,i) belong to the line and are not copied yet
    if (this.pendingReturn && bytes[i] !== LF && bytes[i] !== CR) this.rewind();
    for (;;) {
      i = skipText(bytes, view, i, end);
      if (i >= end) break;
      const b = bytes[i]!;
      if (b === LF && !this.pendingReturn && line.isEmpty) {
        rows.push(IN_CHUNK, kept, i);
        this.lineFeeds++;
        if (rows.count > LIVE_ROWS) this.history.emitFirst();
        kept = ++i;
        continue;
      }
      if (b >= 0x80) {
        const length = sequenceLength(bytes, i, end);
        if (length > 1 && !isDelicate(bytes, i, length)) {
          i += length;
          continue;
        }
        if (length === 0 && !final) {
          rows.append(bytes, kept, i);
          return -1 - i;
        }
      }
      if (i > kept) rows.append(bytes, kept, i);
      const next = this.special(bytes, i, end, final);
      if (next < 0) return next;
      kept = i = next;
      if (this.drawing) return i;
      if (this.pendingReturn && i < end && bytes[i] !== LF && bytes[i] !== CR) this.rewind();
    }
    if (i > kept) rows.append(bytes, kept, i);
    return end;
  }

  /** One special byte of a plain line. Returns as `copy` does; sets `drawing` to leave the byte to `draw`. */
  private special(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    const b = bytes[i]!;
    if (b === LF) {
      this.endLine();
      return i + 1;
    }
    this.cleaned = true;
    if (b === CR) {
      this.pendingReturn = true;
      return i + 1;
    }
    if (b >= 0x80) return this.beyondAscii(bytes, i, end, final);
    if (b === ESC) {
      const next = this.sequence.parse(bytes, i, end, final);
      return next < 0 ? -1 - i : this.obey(i, next);
    }
    if (b === BS && !this.line.atStart) return this.startDrawing(i, i + 1);
    if ((b === VT || b === FF) && !this.line.isEmpty) return this.startDrawing(i, i + 1);
    if ((b === SO || b === SI) && (this.graphics[0] || this.graphics[1])) return this.startDrawing(i, i + 1);
    return i + 1;
  }

  /** Bad UTF-8, a C1 control or a hidden character of a plain line. */
  private beyondAscii(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    const length = sequenceLength(bytes, i, end);
    const control = this.c1(bytes, i, length, end, final);
    if (control === -1) return -1 - i;
    if (control > 0 && this.sequence.kind !== INVALID) return this.obey(i, control);
    if (length <= 0) {
      this.rows.append(REPLACEMENT, 0, REPLACEMENT.length);
      return i + (length === 0 ? end - i : -length);
    }
    const form = encoder.encode(hiddenForm(decodeAt(bytes, i, length)));
    this.rows.append(form, 0, form.length);
    return i + length;
  }

  /** Parses a C1 control at `i`. Returns the index after it, −1 for more bytes, 0 when there is none. */
  private c1(bytes: Uint8Array, i: number, length: number, end: number, final: boolean): number {
    if (length === 2 && bytes[i] === 0xc2 && bytes[i + 1]! < 0xa0)
      return this.sequence.parseC1(bytes, i, end, final);
    if (length !== -1 || bytes[i]! >= 0xa0) return 0;
    return this.sequence.parseRawC1(bytes, i, end, final);
  }

  private endLine(): void {
    this.lineFeeds++;
    if (this.pendingReturn) this.carriageFeeds++;
    this.pendingReturn = false;
    this.line.end();
    if (this.rows.count > LIVE_ROWS) this.history.emitFirst();
  }

  private rewind(): void {
    this.pendingReturn = false;
    this.line.carriageReturn();
  }

  // ---- sequences

  /** Carries out the parsed sequence on a plain line, or starts drawing with it at `i`. */
  private obey(i: number, next: number): number {
    const { sequence, line } = this;
    this.swallowedLines();
    if (sequence.kind === NOTHING) return next;
    if (sequence.kind === CHARSET) {
      this.designate();
      return this.graphics[this.shifted] ? this.startDrawing(next, next) : next;
    }
    if (sequence.kind === CSI) {
      const { op } = sequence;
      if (isMode(sequence)) return isAlternateMode(sequence) ? this.startDrawing(i, next) : next;
      if (!EDITING.has(op) || isForeignPrivate(sequence)) return next;
      const toEnd =
        (op === 0x4b || op === 0x4a) && sequence.first <= 0 && !(op === 0x4a && sequence.prefix !== 0);
      if (toEnd || (op === 0x4b && sequence.first === 2 && line.atStart)) {
        line.eraseRest();
        return next;
      }
      return this.startDrawing(i, next);
    }
    return isMovingEscape(sequence.op) ? this.startDrawing(i, next) : next;
  }

  /** Lines inside a swallowed string are physical lines that the view does not have. */
  private swallowedLines(): void {
    if (this.sequence.lines === 0) return;
    this.lineFeeds += this.sequence.lines;
    this.moved = true;
    this.sequence.lines = 0;
  }

  /** Turns the line into cells; `draw` goes on at `at`. A huge line stays as it is, and goes on at `next`. */
  private startDrawing(at: number, next: number): number {
    if (this.rows.top - this.rows.lineStart > MAX_CELL_LINE_BYTES) return next;
    const shown = !this.line.isEmpty;
    const { row, column, evidence } = this.line.toCells();
    this.grid.enter(shown ? row : null, column);
    if (evidence) this.rows.addEvidence(this.rows.count - 1, evidence);
    this.drawing = true;
    this.openLine = shown;
    return at;
  }

  private designate(): void {
    const set = this.sequence.op === 0x28 ? 0 : 1;
    this.graphics[set] = this.sequence.first === 0x30;
  }

  // ---- drawing

  /** The slow path: characters and controls on the grid. Returns as `copy` does. */
  private draw(bytes: Uint8Array, from: number, end: number, final: boolean): number {
    const { grid } = this;
    this.cleaned = true;
    let i = from;
    while (i < end) {
      const b = bytes[i]!;
      if (this.pendingReturn && b !== CR && b !== LF) {
        this.pendingReturn = false;
        grid.carriageReturn();
      }
      if (SPECIAL[b] === 0) {
        this.openLine = true;
        if (b === TAB) grid.tab();
        else grid.print(this.graphics[this.shifted] ? graphicOf(b) : b);
        i++;
        continue;
      }
      if (b === LF) {
        this.drawLineFeed();
        i++;
        if (this.drawing) continue;
        return i;
      }
      const next = this.drawSpecial(bytes, i, end, final);
      if (next < 0) return next;
      i = next;
    }
    return end;
  }

  private drawLineFeed(): void {
    this.lineFeeds++;
    this.openLine = false;
    if (this.pendingReturn) this.carriageFeeds++;
    this.pendingReturn = false;
    this.grid.lineFeed();
    if (this.grid.isPlain && !this.graphics[this.shifted]) this.drawing = false;
  }

  /** VT, FF, NEL: the line ends though the physical line does not. */
  private breakLine(): void {
    this.moved = true;
    this.openLine = false;
    this.grid.lineFeed();
  }

  private drawSpecial(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    const b = bytes[i]!;
    if (b === ESC) {
      const next = this.sequence.parse(bytes, i, end, final);
      if (next < 0) return -1 - i;
      this.drawSequence();
      return next;
    }
    if (b >= 0x80) return this.drawBeyondAscii(bytes, i, end, final);
    if (b === CR) this.pendingReturn = true;
    else if (b === BS) this.grid.backspace();
    else if (b === SO || b === SI) this.shifted = b === SO ? 1 : 0;
    else if (b === VT || b === FF) this.breakLine();
    return i + 1;
  }

  private drawBeyondAscii(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    const length = sequenceLength(bytes, i, end);
    if (length === 0 && !final) return -1 - i;
    const control = this.c1(bytes, i, length, end, final);
    if (control === -1) return -1 - i;
    if (control > 0 && this.sequence.kind !== INVALID) {
      this.drawSequence();
      return control;
    }
    this.openLine = true;
    if (length <= 0) {
      this.grid.print(0xfffd);
      return length === 0 ? end : i - length;
    }
    const code = decodeAt(bytes, i, length);
    if (isHidden(code)) for (const c of hiddenForm(code)) this.grid.print(c.charCodeAt(0));
    else this.grid.print(code);
    return i + length;
  }

  private drawSequence(): void {
    const { sequence, grid } = this;
    this.swallowedLines();
    if (sequence.kind === CHARSET) this.designate();
    else if (sequence.kind === ESCAPE) this.drawEscape(sequence.op);
    else if (sequence.kind === CSI) {
      if (isMode(sequence)) this.drawMode();
      else if (EDITING.has(sequence.op) && !isForeignPrivate(sequence) && grid.control(sequence))
        this.moved = true;
    }
  }

  private drawMode(): void {
    if (!isAlternateMode(this.sequence)) return;
    this.moved = true;
    if (this.sequence.op === 0x68) this.grid.enterAlternate();
    else this.grid.leaveAlternate();
  }

  private drawEscape(op: number): void {
    const { grid } = this;
    if (op === 0x37) grid.save();
    if (op === 0x38 && grid.restore()) this.moved = true;
    if (!isMovingEscape(op) || op === 0x37 || op === 0x38) return;
    this.moved = true;
    if (op === 0x44) grid.index();
    else if (op === 0x45) this.breakLine();
    else if (op === 0x4d) grid.reverseIndex();
    else {
      grid.reset();
      this.graphics = [false, false];
      this.shifted = 0;
    }
  }
}
