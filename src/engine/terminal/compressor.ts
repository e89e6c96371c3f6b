import { lineTokens, MARKER_TOKENS } from '../tokens.ts';
import { fold } from './budget.ts';
import { RedundancyGuard } from './guard.ts';
import { ERROR, HINT, type Level, PASSING, PLAIN, WARNING } from './importance.ts';
import type { KeptLine } from './kept.ts';
import { FIRST_LINES, type Kind, KindTable } from './kind.ts';
import { LevelLog } from './level-log.ts';
import { isMarkerLine, looksLikeOurs, mayLookLikeOurs } from './marker.ts';
import { LineScanner } from './scan.ts';
import { EDGE_LINES, type LineFacts, RecentLines } from './tail.ts';
import { WholeText } from './whole.ts';
import { decode, importanceOfLine, windowed } from './window.ts';

/** Passing lines that mention an error type: up to so many in all are kept. */
const MAX_PASSING = 8;
/** Lines of one kind with a mere hint of trouble: up to so many are kept, else the first three and the last. */
const MAX_HINTS = 8;
/** Remembered levels of one kind. */
const MAX_DIGIT_CLASSES = 256;
/** Marker lines of earlier passes that are kept. */
const MAX_MARKERS = 4096;
/** Tokens are counted up to so many, and up to so many times the largest view: whether an elision is worth it is clear then. */
const MIN_COUNTED_TOKENS = 500_000;
const COUNTED_VIEWS = 64;
/** Gaps of at most so many lines are shown when that costs no more than their marker. */
const MAX_SHOWN_GAP = 6;

export interface CompressorOptions {
  maxTokens: number;
  /** Marker lines of an earlier pass are kept, with the lines beside them (`origin: 'stdin'`). */
  keepsMarkers: boolean;
}

/** What the compressor would show of a document. */
export interface Selection {
  /** Sorted by line number. */
  lines: KeptLine[];
  /** Numbers of lines that only the budget took away. */
  overBudget: number[];
}

/**
 * The terminal compressor over cleaned lines, one pass, bounded memory: head, tail, lines that matter, odd values and
 * one representative of each distinct kind stay. What it holds: the text while it is small, else a bounded table of
 * kinds with a few lines each, and the lines that matter up to the budget.
 */
export class TerminalCompressor {
  readonly whole = new WholeText();
  lineCount = 0;
  /** Lower bound of the tokens of all lines; far above what a view may have the count stops. */
  tokens = 0;
  /** Bytes of all cleaned lines, one line end each included. */
  bytes = 0;
  /** Some line has the form of a marker, footer or note of ours. */
  sawOurs = false;
  readonly #options: CompressorOptions;
  readonly #enoughTokens: number;
  readonly #scanner = new LineScanner();
  readonly #table = new KindTable();
  readonly #recent = new RecentLines(EDGE_LINES);
  readonly #head: KeptLine[] = [];
  readonly #markers: KeptLine[] = [];
  readonly #besideMarkers: KeptLine[] = [];
  readonly #passing: KeptLine[] = [];
  #passingCount = 0;
  #afterMarker = false;
  readonly #logs: Map<Level, LevelLog>;
  #bytes: Uint8Array = new Uint8Array(0);
  #start = 0;
  #end = 0;
  #facts: LineFacts | null = null;
  #current: KeptLine | null = null;

  constructor(options: CompressorOptions) {
    this.#options = options;
    this.#enoughTokens = Math.max(MIN_COUNTED_TOKENS, options.maxTokens * COUNTED_VIEWS);
    const levels: Level[] = [HINT, WARNING, ERROR];
    this.#logs = new Map(levels.map((level) => [level, new LevelLog(options.maxTokens)]));
  }

  /** One cleaned line, without its line end. */
  push(bytes: Uint8Array, start: number, end: number): void {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#current = null;
    const counts = this.whole.complete || this.tokens < this.#enoughTokens;
    const tokens = counts ? lineTokens(bytes, start, end) : 0;
    const base = this.#kindOf(bytes, start, end);
    const level = base.perLine ? this.#levelOf(base) : base.level;
    const kind = level === base.level ? base : this.#variant(base, level);
    kind.count++;
    this.lineCount++;
    const facts = { line: this.lineCount, level, kind, tokensBefore: this.tokens, tokens };
    this.#facts = facts;
    this.#place(kind, level);
    if (mayLookLikeOurs(bytes, start, end)) this.#own();
    else this.#afterMarker = this.#afterMarker && this.#keepBesideMarker();
    this.#recent.add(bytes, start, end, facts, this.#keep);
    this.whole.add(bytes, start, end, kind, level, this.tokens);
    this.tokens += tokens;
    this.bytes += end - start + 1;
  }

  finish(): Selection {
    const kept = new Map<number, KeptLine>();
    const keep = (line: KeptLine): void => {
      if (!kept.has(line.line)) kept.set(line.line, line);
    };
    for (const line of [...this.#head, ...this.#recent.lines(), ...this.#markers]) {
      keep({ ...line, pinned: true });
    }
    for (const line of this.#besideMarkers) keep(line);
    for (const level of [ERROR, WARNING] as const) for (const line of this.#ofLevel(level)) keep(line);
    for (const line of this.#hints()) keep(line);
    const foldsPassing = this.#passingCount > MAX_PASSING;
    if (!foldsPassing) for (const line of this.#passing) keep(line);
    for (const kind of this.#table.kinds) {
      if (kind.level < WARNING) for (const line of kind.columns.odd()) keep(line);
    }
    this.#guard(kept, foldsPassing, keep);
    return this.#fit(kept);
  }

  readonly #keep = (): KeptLine => {
    this.#current ??= {
      ...this.#facts!,
      ...windowed(this.#bytes, this.#start, this.#end, this.#facts!.level),
      pinned: false,
    };
    return this.#current;
  };

  #kindOf(bytes: Uint8Array, start: number, end: number): Kind {
    const scanner = this.#scanner;
    scanner.scan(bytes, start, end);
    const maskedA = scanner.hashA;
    const maskedB = scanner.hashB;
    // Digits are all that a line without letters has: each distinct one is a kind, and folds with its likes only
    // when the budget wants it.
    if (!scanner.hasLetter) scanner.scanExact(bytes, start, end);
    const found = this.#table.find(scanner.hashA, scanner.hashB);
    if (found) return found;
    const importance = importanceOfLine(bytes, start, end);
    return this.#table.add(scanner, importance, maskedA, maskedB);
  }

  /** Level of the current line of a kind whose digits decide; those with like numbers are judged once. */
  #levelOf(base: Kind): Level {
    const classes = this.#scanner.digitClasses;
    const known = base.levels.get(classes);
    if (known !== undefined) return known;
    const { level } = importanceOfLine(this.#bytes, this.#start, this.#end);
    if (base.levels.size < MAX_DIGIT_CLASSES) base.levels.set(classes, level);
    return level;
  }

  #variant(base: Kind, level: Level): Kind {
    base.variants[level] ??= this.#table.create({ level, perLine: false }, `${base.foldKey},${level}`);
    return base.variants[level];
  }

  /** Puts the current line where its kind and level want it. */
  #place(kind: Kind, level: Level): void {
    if (this.lineCount <= EDGE_LINES) this.#head.push(this.#keep());
    else if (kind.firsts.length < FIRST_LINES) kind.firsts.push(this.#keep());
    if (level < WARNING && this.#scanner.columnCount > 0) {
      const { columns, named, columnCount } = this.#scanner;
      kind.columns.observe(columns, named, columnCount, this.#keep);
    }
    if (level === PLAIN) return;
    if (level === PASSING) {
      if (++this.#passingCount <= MAX_PASSING) this.#passing.push(this.#keep());
      return;
    }
    const log = this.#logs.get(level)!;
    if (!log.folded) log.add(this.#keep());
    kind.last ??= new RecentLines(1);
    kind.last.add(this.#bytes, this.#start, this.#end, this.#facts!, this.#keep);
  }

  /** The current line begins like one of ours. */
  #own(): void {
    const text = decode(this.#bytes, this.#start, Math.min(this.#end, this.#start + 1000));
    if (looksLikeOurs(text)) this.sawOurs = true;
    const marks = this.#options.keepsMarkers && isMarkerLine(text) && this.#markers.length < MAX_MARKERS;
    if (marks) {
      const before = this.#recent.lines().at(-1);
      if (before) this.#besideMarkers.push(before);
      this.#markers.push(this.#keep());
    } else if (this.#afterMarker) this.#keepBesideMarker();
    this.#afterMarker = marks;
  }

  #keepBesideMarker(): false {
    this.#besideMarkers.push(this.#keep());
    return false;
  }

  #ofLevel(level: Level): KeptLine[] {
    const log = this.#logs.get(level)!;
    if (!log.folded) return [...log.lines];
    return this.#table.kinds.filter((kind) => kind.level === level).flatMap(firstsAndLast);
  }

  #hints(): KeptLine[] {
    const log = this.#logs.get(HINT)!;
    const few = log.lines.filter((line) => line.kind.count <= MAX_HINTS);
    const many = this.#table.kinds.filter(
      (kind) => kind.level === HINT && (log.folded || kind.count > MAX_HINTS),
    );
    return [...few, ...many.flatMap(firstsAndLast)];
  }

  /** Adds a representative of each kind of line that the kept ones do not represent. */
  #guard(kept: Map<number, KeptLine>, foldsPassing: boolean, keep: (line: KeptLine) => void): void {
    const guard = new RedundancyGuard(sorted(kept));
    const candidates: KeptLine[] = [];
    for (const kind of this.#table.kinds) {
      if (kind.level !== PLAIN && !(foldsPassing && kind.level === PASSING)) continue;
      const dropped = kind.firsts.filter((line) => !kept.has(line.line));
      // Lines of the overflow kind have nothing in common: each stands for itself.
      candidates.push(...(this.#table.isOverflow(kind) ? dropped : dropped.slice(0, 1)));
    }
    candidates.sort((a, b) => a.line - b.line);
    for (const line of candidates) {
      const verdict = guard.judge(line.text);
      if (verdict !== 'represented') keep(line);
      if (verdict !== 'unrepresented') continue;
      if (!this.whole.complete) for (const other of line.kind.firsts) keep(other);
      else for (const number of this.whole.linesOf(line.kind)) keep(this.whole.line(number));
    }
  }

  #fit(kept: Map<number, KeptLine>): Selection {
    const all = sorted(kept);
    const lines = fold(all, this.#options.maxTokens, this.#partialLevels());
    const left = new Set(lines.map((line) => line.line));
    const overBudget = all.filter((line) => !left.has(line.line)).map((line) => line.line);
    return { lines: this.#showSmallGaps(lines), overBudget };
  }

  /** Levels of which not every line was held. */
  #partialLevels(): Level[] {
    const folded = [...this.#logs].filter(([, log]) => log.folded).map(([level]) => level);
    return this.#table.numericOverflow ? [PLAIN, ...folded] : folded;
  }

  /** A gap that hides fewer tokens than its marker costs is shown instead. */
  #showSmallGaps(lines: KeptLine[]): KeptLine[] {
    if (!this.whole.complete) return lines;
    const out: KeptLine[] = [];
    let next = 1;
    let tokens = 0;
    for (const line of lines) {
      const hidden = line.tokensBefore - tokens;
      if (hidden <= MARKER_TOKENS && line.line - next <= MAX_SHOWN_GAP) {
        for (; next < line.line; next++) out.push(this.whole.line(next));
      }
      out.push(line);
      next = line.line + 1;
      tokens = line.tokensBefore + line.tokens;
    }
    return out;
  }
}

function sorted(kept: Map<number, KeptLine>): KeptLine[] {
  return [...kept.values()].sort((a, b) => a.line - b.line);
}

function firstsAndLast(kind: Kind): KeptLine[] {
  return [...kind.firsts, ...(kind.last?.lines() ?? [])];
}
