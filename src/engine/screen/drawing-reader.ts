import { BS, CR, ESC, FF, LF, SI, SO, SPECIAL, TAB, VT } from './bytes.ts';
import { control } from './control.ts';
import { EDITING, isAlternateMode, isForeignPrivate, isMode, isMovingEscape } from './meaning.ts';
import type { ScreenState } from './screen-state.ts';
import { CHARSET, CSI, ESCAPE, INVALID } from './sequence.ts';
import { decodeAt, hiddenForm, isHidden, sequenceLength } from './utf8.ts';

/** The slow path: characters and controls on the grid, until the cursor is below all rows again. */
export class DrawingReader {
  private readonly state: ScreenState;

  constructor(state: ScreenState) {
    this.state = state;
  }

  /** Reads from `from`. Returns as `PlainReader.read` does. */
  read(bytes: Uint8Array, from: number, end: number, final: boolean): number {
    const { state } = this;
    const { charsets } = state;
    const { cursor } = state.grid;
    state.cleaned = true;
    let i = from;
    while (i < end) {
      const b = bytes[i]!;
      if (state.pendingReturn && b !== CR && b !== LF) {
        state.pendingReturn = false;
        cursor.carriageReturn();
      }
      if (SPECIAL[b] === 0) {
        state.openLine = true;
        if (b === TAB) cursor.tab();
        else cursor.print(charsets.shown(b));
        i++;
        continue;
      }
      if (b === LF) {
        this.lineFeed();
        i++;
        if (state.drawing) continue;
        return i;
      }
      const next = this.special(bytes, i, end, final);
      if (next < 0) return next;
      i = next;
    }
    return end;
  }

  private lineFeed(): void {
    const { state } = this;
    state.countLine();
    state.openLine = false;
    state.grid.lineFeed();
    if (state.grid.isPlain && !state.charsets.drawsLines) state.drawing = false;
  }

  /** VT, FF, NEL: the line ends though the physical line does not. */
  private breakLine(): void {
    this.state.moved = true;
    this.state.openLine = false;
    this.state.grid.lineFeed();
  }

  private special(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    const { state } = this;
    const b = bytes[i]!;
    if (b === ESC) {
      const next = state.sequence.parse(bytes, i, end, final);
      if (next < 0) return -1 - i;
      this.obey();
      return next;
    }
    if (b >= 0x80) return this.beyondAscii(bytes, i, end, final);
    if (b === CR) state.pendingReturn = true;
    else if (b === BS) state.grid.cursor.backspace();
    else if (b === SO) state.charsets.shift(1);
    else if (b === SI) state.charsets.shift(0);
    else if (b === VT || b === FF) this.breakLine();
    return i + 1;
  }

  private beyondAscii(bytes: Uint8Array, i: number, end: number, final: boolean): number {
    const { state } = this;
    const { cursor } = state.grid;
    const length = sequenceLength(bytes, i, end);
    if (length === 0 && !final) return -1 - i;
    const next = state.parseC1(bytes, i, length, end, final);
    if (next === -1) return -1 - i;
    if (next > 0 && state.sequence.kind !== INVALID) {
      this.obey();
      return next;
    }
    state.openLine = true;
    if (length <= 0) {
      cursor.print(0xfffd);
      return length === 0 ? end : i - length;
    }
    const code = decodeAt(bytes, i, length);
    if (isHidden(code)) for (const c of hiddenForm(code)) cursor.print(c.charCodeAt(0));
    else cursor.print(code);
    return i + length;
  }

  private obey(): void {
    const { state } = this;
    const { sequence } = state;
    state.countSwallowed();
    if (sequence.kind === CHARSET) state.charsets.designate(sequence.op, sequence.first);
    else if (sequence.kind === ESCAPE) this.escape(sequence.op);
    else if (sequence.kind !== CSI) return;
    else if (isMode(sequence)) this.mode();
    else if (EDITING.has(sequence.op) && !isForeignPrivate(sequence) && control(state.grid, sequence))
      state.moved = true;
  }

  private mode(): void {
    const { state } = this;
    if (!isAlternateMode(state.sequence)) return;
    state.moved = true;
    if (state.sequence.op === 0x68) state.grid.enterAlternate();
    else state.grid.leaveAlternate();
  }

  private escape(op: number): void {
    const { state } = this;
    const { grid } = state;
    if (op === 0x37) grid.save();
    if (op === 0x38 && grid.restore()) state.moved = true;
    if (!isMovingEscape(op) || op === 0x37 || op === 0x38) return;
    state.moved = true;
    if (op === 0x44) grid.index();
    else if (op === 0x45) this.breakLine();
    else if (op === 0x4d) grid.reverseIndex();
    else {
      grid.reset();
      state.charsets.reset();
    }
  }
}
