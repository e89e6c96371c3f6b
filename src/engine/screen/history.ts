import { maskDigits } from './evidence.ts';
import { failureAt } from './failure-words.ts';
import { type LineSink, type LiveRows, UNTOUCHED } from './live-rows.ts';

const encoder = new TextEncoder();
/** Two frames of an animation are alike when this share of the smaller one's lines is in the other. */
const ALIKE = 0.5;
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
  private frame: string[] | null = null;
  private readonly told = new Set<string>();
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
      const lines = this.screenLines();
      while (this.rows.count > 0) this.rows.shift();
      if (lines.length > 0) {
        if (this.frame) this.settleFrame(lines);
        this.frame = lines;
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
    this.added = true;
    this.sent = true;
    this.sink(bytes, 0, bytes.length);
  }

  /** Non-blank lines of the live rows, each after the evidence that it covers. */
  private screenLines(): string[] {
    const lines: string[] = [];
    for (let i = 0; i < this.rows.count; i++) {
      const evidence = this.rows.evidence(i);
      if (!evidence && this.rows.place(i) === UNTOUCHED) continue;
      const text = this.rows.text(i);
      if (evidence) lines.push(...evidence.missingFrom(text));
      if (text.trim() !== '') lines.push(text.trimEnd());
    }
    return lines;
  }

  /** Decides about the frame held back: superseded by `next` (only its failure lines go out), or shown whole. */
  private settleFrame(next: string[]): void {
    const frame = this.frame ?? [];
    this.frame = null;
    if (!alike(frame, next)) {
      this.told.clear();
      for (const line of frame) this.sendText(line);
      return;
    }
    const final = new Set(next.map(maskDigits));
    for (const line of frame) {
      const kind = maskDigits(line);
      if (final.has(kind) || this.told.has(kind) || !tellsFailure(line)) continue;
      if (this.told.size < MAX_TOLD) this.told.add(kind);
      this.sendText(line);
    }
  }
}

function tellsFailure(line: string): boolean {
  const bytes = encoder.encode(line);
  return failureAt(bytes, 0, bytes.length) >= 0;
}

function alike(a: string[], b: string[]): boolean {
  const small = new Set((a.length < b.length ? a : b).map(wordsOf));
  const large = new Set((a.length < b.length ? b : a).map(wordsOf));
  let common = 0;
  for (const words of small) if (large.has(words)) common++;
  return small.size > 0 && common >= small.size * ALIKE;
}

/** The letters of a line: bars, counters and clocks do not make a line another one. */
function wordsOf(line: string): string {
  return line.replace(/[^\p{L}]+/gu, ' ').trim();
}
