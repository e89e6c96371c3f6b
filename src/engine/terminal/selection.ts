import { MARKER_TOKENS } from '../tokens.ts';
import { fold } from './budget.ts';
import { RedundancyGuard } from './guard.ts';
import { ERROR, HINT, type Level, PASSING, PLAIN, WARNING } from './importance.ts';
import type { KeptLine } from './kept.ts';
import type { Kind, KindTable } from './kind.ts';
import type { LevelLog } from './level-log.ts';
import type { WholeText } from './whole.ts';

/** Passing lines that mention an error type: up to so many in all are kept. */
export const MAX_PASSING = 8;
/** Lines of one kind with a mere hint of trouble: up to so many are kept, else the first three and the last. */
const MAX_HINTS = 8;
/** Gaps of at most so many lines are shown when that costs no more than their marker. */
const MAX_SHOWN_GAP = 6;

/** What the compressor has gathered of a document when its end is known. */
export interface Gathered {
  whole: WholeText;
  table: KindTable;
  logs: ReadonlyMap<Level, LevelLog>;
  /** Head, tail and markers of an earlier pass: pinned. */
  edges: readonly KeptLine[];
  besideMarkers: readonly KeptLine[];
  /** The first passing lines that mention an error type, and how many there are. */
  passing: readonly KeptLine[];
  passingCount: number;
  maxTokens: number;
}

/** What the compressor would show of a document. */
export interface Selection {
  /** Sorted by line number. */
  lines: KeptLine[];
  /** Numbers of lines that only the budget took away. */
  overBudget: number[];
}

/** Lines by number; the first one given for a number stays. */
class Kept {
  readonly #lines = new Map<number, KeptLine>();

  add(lines: readonly KeptLine[]): void {
    for (const line of lines) if (!this.#lines.has(line.line)) this.#lines.set(line.line, line);
  }

  has(number: number): boolean {
    return this.#lines.has(number);
  }

  sorted(): KeptLine[] {
    return [...this.#lines.values()].sort((a, b) => a.line - b.line);
  }
}

/** Chooses the lines to show: edges, what matters, odd values, one of each kind; then the budget. */
export function select(from: Gathered): Selection {
  const kept = new Kept();
  kept.add(from.edges.map((line) => ({ ...line, pinned: true })));
  kept.add(from.besideMarkers);
  kept.add(ofLevel(from, ERROR));
  kept.add(ofLevel(from, WARNING));
  kept.add(hints(from));
  const foldsPassing = from.passingCount > MAX_PASSING;
  if (!foldsPassing) kept.add(from.passing);
  for (const kind of from.table.kinds) if (kind.level < WARNING) kept.add(kind.columns.odd());
  guard(from, kept, foldsPassing);
  return withinBudget(from, kept);
}

function ofLevel({ logs, table }: Gathered, level: Level): readonly KeptLine[] {
  const log = logs.get(level)!;
  if (!log.folded) return log.lines;
  return table.kinds.filter((kind) => kind.level === level).flatMap(firstsAndLast);
}

function hints({ logs, table }: Gathered): KeptLine[] {
  const log = logs.get(HINT)!;
  const few = log.lines.filter((line) => line.kind.count <= MAX_HINTS);
  const many = table.kinds.filter((kind) => kind.level === HINT && (log.folded || kind.count > MAX_HINTS));
  return [...few, ...many.flatMap(firstsAndLast)];
}

function firstsAndLast(kind: Kind): KeptLine[] {
  return [...kind.firsts, ...(kind.last?.lines() ?? [])];
}

/** Adds a representative of each kind of line that the kept ones do not represent. */
function guard({ table, whole }: Gathered, kept: Kept, foldsPassing: boolean): void {
  const judge = new RedundancyGuard(kept.sorted());
  const candidates: KeptLine[] = [];
  for (const kind of table.kinds) {
    if (kind.level !== PLAIN && !(foldsPassing && kind.level === PASSING)) continue;
    const dropped = kind.firsts.filter((line) => !kept.has(line.line));
    // Lines of the overflow kind have nothing in common: each stands for itself.
    candidates.push(...(table.isOverflow(kind) ? dropped : dropped.slice(0, 1)));
  }
  candidates.sort((a, b) => a.line - b.line);
  for (const line of candidates) {
    const verdict = judge.judge(line.text);
    if (verdict !== 'represented') kept.add([line]);
    if (verdict !== 'unrepresented') continue;
    if (!whole.complete) kept.add(line.kind.firsts);
    else kept.add(whole.linesOf(line.kind).map((number) => whole.line(number)));
  }
}

function withinBudget(from: Gathered, kept: Kept): Selection {
  const all = kept.sorted();
  const lines = fold(all, from.maxTokens, partialLevels(from));
  const left = new Set(lines.map((line) => line.line));
  const overBudget = all.filter((line) => !left.has(line.line)).map((line) => line.line);
  return { lines: showSmallGaps(from.whole, lines), overBudget };
}

/** Levels of which not every line was held. */
function partialLevels({ logs, table }: Gathered): Level[] {
  const folded = [...logs].filter(([, log]) => log.folded).map(([level]) => level);
  return table.numericOverflow ? [PLAIN, ...folded] : folded;
}

/** A gap that hides fewer tokens than its marker costs is shown instead. */
function showSmallGaps(whole: WholeText, lines: KeptLine[]): KeptLine[] {
  if (!whole.complete) return lines;
  const out: KeptLine[] = [];
  let next = 1;
  let tokens = 0;
  for (const line of lines) {
    const hidden = line.tokensBefore - tokens;
    if (hidden <= MARKER_TOKENS && line.line - next <= MAX_SHOWN_GAP) {
      for (; next < line.line; next++) out.push(whole.line(next));
    }
    out.push(line);
    next = line.line + 1;
    tokens = line.tokensBefore + line.tokens;
  }
  return out;
}
