import { Frame } from './frame.ts';
import type { LineSink, LiveRows } from './live-rows.ts';
import { UNTOUCHED } from './row-ring.ts';

const encoder = new TextEncoder();
/** Kinds of failure lines that are told once for one animation, however often they come and go. */
const MAX_TOLD = 256;

/**
 * Sends rows that can no longer change to the sink, and holds back the last full-screen frame until it is
 * known whether the next one is the same picture drawn anew.
 */
export class History {
  private readonly sink: LineSink;
  private readonly rows: LiveRows;
  /** Lines of the last frame that a clear wiped, while a frame like it may follow. */
  private frame: Frame | null = null;
  /** Another frame, to be used next. */
  private spare = new Frame();
  private readonly told = new Set<number>();
  private gap = false;
  private started = false;
  /** The live region began with a clear: its rows are a frame, not a log. */
  cleared = false;
  /** Any line was sent. */
  sent = false;
  /** Lines were sent that stand on no row in the end. */
  added = false;
  /** Rows that have left the top of the live region so far. */
  scrolled = 0;

  constructor(sink: LineSink, rows: LiveRows) {
    this.sink = sink;
    this.rows = rows;
  }

  /** Sends the oldest row. What is left on the screen is no whole frame any more. */
  emitFirst(): void {
    if (this.frame) this.settleFrame(this.screenLines());
    this.cleared = false;
    this.emit(0);
    this.rows.shift();
    this.scrolled++;
  }

  /** Sends all rows. */
  emitAll(): void {
    if (this.frame) this.settleFrame(this.screenLines());
    while (this.rows.count > 0) {
      this.emit(0);
      this.rows.shift();
    }
    this.gap = false;
    this.started = false;
    this.cleared = false;
  }

  /** The screen is wiped as a whole: nothing of a log is lost, and of like frames only the last stays. */
  clear(): void {
    if (!this.cleared) this.emitAll();
    else {
      const next = this.screenLines();
      while (this.rows.count > 0) this.rows.shift();
      if (next.count > 0) {
        const before = this.frame;
        if (before) this.settleFrame(next);
        this.frame = next;
        this.spare = before ?? new Frame();
      }
    }
    this.cleared = true;
  }

  private emit(index: number): void {
    const evidence = this.rows.evidence(index);
    const untouched = this.rows.place(index) === UNTOUCHED;
    if (untouched && !evidence) {
      this.gap = this.started;
      return;
    }
    if (this.gap) this.sink(encoder.encode(''), 0, 0);
    this.gap = false;
    this.started = true;
    this.sent ||= !untouched;
    if (evidence) for (const line of evidence.missingFrom(this.rows.text(index))) this.sendText(line);
    if (!untouched) this.rows.visit(index, this.sink);
  }

  private sendText(line: string): void {
    const bytes = encoder.encode(line);
    this.sendExtra(bytes, 0, bytes.length);
  }

  /** A line that stands on no row in the end. */
  private readonly sendExtra: LineSink = (bytes, start, end) => {
    this.added = true;
    this.sent = true;
    this.sink(bytes, start, end);
  };

  /** Non-blank lines of the live rows, each after the evidence that it covers; valid until the next call. */
  private screenLines(): Frame {
    const lines = this.spare;
    lines.clear();
    for (let i = 0; i < this.rows.count; i++) {
      const evidence = this.rows.evidence(i);
      if (!evidence && this.rows.place(i) === UNTOUCHED) continue;
      if (evidence)
        for (const line of evidence.missingFrom(this.rows.text(i))) {
          const bytes = encoder.encode(line);
          lines.add(bytes, 0, bytes.length);
        }
      this.rows.visit(i, (bytes, start, end) => lines.add(bytes, start, end));
    }
    return lines;
  }

  /** Decides about the frame held back: superseded by `next` (only its failure lines go out), or shown whole. */
  private settleFrame(next: Frame): void {
    const frame = this.frame!;
    this.frame = null;
    if (!frame.isLike(next)) {
      this.told.clear();
      for (let i = 0; i < frame.count; i++) frame.visit(i, this.sendExtra);
      return;
    }
    for (let i = 0; i < frame.count; i++) {
      const mask = frame.mask(i);
      if (next.hasMask(mask) || this.told.has(mask) || !frame.tellsFailure(i)) continue;
      if (this.told.size < MAX_TOLD) this.told.add(mask);
      frame.visit(i, this.sendExtra);
    }
  }
}
