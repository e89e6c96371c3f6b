import { lineTokens } from '../tokens.ts';
import { ERROR, HINT, type Level, PASSING, PLAIN, WARNING } from './importance.ts';
import type { KeptLine } from './kept.ts';
import { FIRST_LINES, type Kind, KindTable } from './kind.ts';
import { LevelLog } from './level-log.ts';
import { isMarkerLine, looksLikeOurs, mayLookLikeOurs } from './marker.ts';
import { LineScanner } from './scan.ts';
import { MAX_PASSING, type Selection, select } from './selection.ts';
import { EDGE_LINES, type LineFacts, RecentLines } from './tail.ts';
import { WholeText } from './whole.ts';
import { decode, importanceOfLine, windowed } from './window.ts';

/** Remembered levels of one kind. */
const MAX_DIGIT_CLASSES = 256;
/** Marker lines of earlier passes that are kept. */
const MAX_MARKERS = 4096;
/** Tokens are counted up to so many, and up to so many times the largest view: whether an elision is worth it is clear then. */
const MIN_COUNTED_TOKENS = 500_000;
const COUNTED_VIEWS = 64;

export interface CompressorOptions {
  maxTokens: number;
  /** Marker lines of an earlier pass are kept, with the lines beside them (`origin: 'stdin'`). */
  keepsMarkers: boolean;
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
    return select({
      whole: this.whole,
      edges: [...this.#head, ...this.#recent.lines(), ...this.#markers],
      besideMarkers: this.#besideMarkers,
      passing: this.#passing,
      passingCount: this.#passingCount,
      logs: this.#logs,
      table: this.#table,
      maxTokens: this.#options.maxTokens,
    });
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
}
