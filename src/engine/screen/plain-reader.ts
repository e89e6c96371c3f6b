import { BS, CR, ESC, FF, LF, SI, SO, VT } from './bytes.ts';
import { EDITING, isAlternateMode, isForeignPrivate, isMode, isMovingEscape } from './meaning.ts';
import { IN_CHUNK, LIVE_ROWS } from './row-ring.ts';
import type { ScreenState } from './screen-state.ts';
import { CHARSET, CSI, INVALID, NOTHING, type Sequence } from './sequence.ts';
import { isDelicate, skipText } from './text-run.ts';
import { decodeAt, hiddenForm, sequenceLength } from './utf8.ts';

/** A line with more bytes than this is not turned into cells: what moves the cursor in it is dropped. */
const MAX_CELL_LINE_BYTES = 8 << 20;
const REPLACEMENT = new Uint8Array([0xef, 0xbf, 0xbd]);
const encoder = new TextEncoder();

/**
 * The fast path: lines in which nothing but carriage returns moves the cursor. Untouched lines are passed on as
 * ranges of the chunk, others are cleaned by copying.
 */
export class PlainReader {
  private readonly state: ScreenState;

  constructor(state: ScreenState) {
    this.state = state;
  }

  /**
   * Reads from `from`. Returns the index where drawing takes over or the input ends, or −1 − index when more bytes
   * are needed to understand what stands at that index.
   */
  read(bytes: Uint8Array, from: number, end: number, final: boolean): number {
    const { state } = this;
    const { rows, line } = state;
    let i = from;
    const view = new DataView(bytes.buffer, bytes.byteOffset, end);
    let kept = from; // bytes[kept,i) belong to the line and are not copied yet
    if (state.pendingReturn && bytes[i] !== LF && bytes[i] !== CR) this.rewind();
    for (;;) {
      i = skipText(bytes, view, i, end);
      if (i >= end) break;
      const b = bytes[i]!;
      if (b === LF && !state.pendingReturn && line.isEmpty) {
        rows.push(IN_CHUNK, kept, i);
        state.lineFeeds++;
        if (rows.count > LIVE_ROWS) state.history.emitFirst();
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
      if (state.drawing) return i;
      if (state.pendingReturn && i < end && bytes[i] !== LF && bytes[i] !== CR) this.rewind();
    }
    if (i > kept) rows.append(bytes, kept, i);
    return end;
  }

  /** One special byte. Returns as `read` does; sets `drawing` to leave the byte to `DrawingReader`. */
  private special(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    const { state } = this;
    const { line } = state;
    const b = bytes[i]!;
    if (b === LF) {
      this.endLine();
      return i + 1;
    }
    state.cleaned = true;
    if (b === CR) {
      state.pendingReturn = true;
      return i + 1;
    }
    if (b >= 0x80) return this.beyondAscii(bytes, i, end, final);
    if (b === ESC) {
      const next = state.sequence.parse(bytes, i, end, final);
      return next < 0 ? -1 - i : this.obey(i, next);
    }
    const moves =
      (b === BS && !line.atStart) ||
      ((b === VT || b === FF) && !line.isEmpty) ||
      ((b === SO || b === SI) && state.charsets.hasGraphics);
    return moves ? this.startDrawing(i, i + 1) : i + 1;
  }

  /** Bad UTF-8, a C1 control or a hidden character. */
  private beyondAscii(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    const { rows, sequence } = this.state;
    const length = sequenceLength(bytes, i, end);
    const control = this.state.parseC1(bytes, i, length, end, final);
    if (control === -1) return -1 - i;
    if (control > 0 && sequence.kind !== INVALID) return this.obey(i, control);
    if (length <= 0) {
      rows.append(REPLACEMENT, 0, REPLACEMENT.length);
      return i + (length === 0 ? end - i : -length);
    }
    const form = encoder.encode(hiddenForm(decodeAt(bytes, i, length)));
    rows.append(form, 0, form.length);
    return i + length;
  }

  private endLine(): void {
    const { state } = this;
    state.countLine();
    state.line.end();
    if (state.rows.count > LIVE_ROWS) state.history.emitFirst();
  }

  private rewind(): void {
    this.state.pendingReturn = false;
    this.state.line.carriageReturn();
  }

  /** Carries out the parsed sequence, or starts drawing with it at `i`. */
  private obey(i: number, next: number): number {
    const { sequence, charsets, line } = this.state;
    this.state.countSwallowed();
    if (sequence.kind === NOTHING) return next;
    if (sequence.kind === CHARSET) {
      charsets.designate(sequence.op, sequence.first);
      return charsets.drawsLines ? this.startDrawing(next, next) : next;
    }
    if (sequence.kind !== CSI) return isMovingEscape(sequence.op) ? this.startDrawing(i, next) : next;
    if (isMode(sequence)) return isAlternateMode(sequence) ? this.startDrawing(i, next) : next;
    if (!EDITING.has(sequence.op) || isForeignPrivate(sequence)) return next;
    if (erasesRest(sequence) || (erasesLine(sequence) && line.atStart)) {
      line.eraseRest();
      return next;
    }
    return this.startDrawing(i, next);
  }

  /** Turns the line into cells; drawing goes on at `at`. A huge line stays as it is, and goes on at `next`. */
  private startDrawing(at: number, next: number): number {
    const { state } = this;
    const { rows } = state;
    if (rows.top - rows.lineStart > MAX_CELL_LINE_BYTES) return next;
    const shown = !state.line.isEmpty;
    const { row, column, evidence } = state.line.toCells();
    state.grid.enter(shown ? row : null, column);
    if (evidence) rows.addEvidence(rows.count - 1, evidence);
    state.drawing = true;
    state.openLine = shown;
    return at;
  }
}

/** EL 0 and ED 0: at the end of all lines they erase the same. */
function erasesRest(sequence: Sequence): boolean {
  const { op, first, prefix } = sequence;
  return first <= 0 && (op === 0x4b || (op === 0x4a && prefix === 0));
}

/** EL 2. */
function erasesLine(sequence: Sequence): boolean {
  return sequence.op === 0x4b && sequence.first === 2;
}
