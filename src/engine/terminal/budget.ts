import { estimateOf, MARKER_TOKENS } from '../tokens.ts';
import { ERROR, HINT, type Level, WARNING } from './importance.ts';
import type { KeptLine } from './kept.ts';
import { shorten } from './shorten.ts';

/** What folding leaves of a group: its first lines and its last one. */
const FIRST = 3;
/** Kinds of each level whose first line no budget takes. */
const MAX_KINDS = 128;
/** Last resort: what long lines are cut to, in characters. */
const LINE_CHARS = [400, 160];

/**
 * Folds sorted lines until their estimate (bytes ÷ 3.5, markers 14 each) is within `maxTokens`: first repeats of one
 * masked kind, plain before warnings before errors, then kinds past the 128th, at last long lines. Never the first
 * line of a kind within the 128, nor pinned lines. Repeats of the `partial` levels fold in any case:
 * they have outgrown the budget before, and the lines at hand are only a part of them.
 */
export function fold(lines: KeptLine[], maxTokens: number, partial: readonly Level[]): KeptLine[] {
  let kept = lines;
  for (const level of partial) kept = foldRepeats(kept, level, level);
  const known = new Map<KeptLine, number>();
  for (const step of STEPS) {
    if (cost(kept, known) <= maxTokens) return kept;
    kept = step(kept);
  }
  return kept;
}

const STEPS: ((lines: KeptLine[]) => KeptLine[])[] = [
  (lines) => foldRepeats(lines, 0, HINT),
  (lines) => foldRepeats(lines, WARNING, WARNING),
  (lines) => foldRepeats(lines, ERROR, ERROR),
  (lines) => foldLateKinds(lines, 0, HINT),
  (lines) => foldLateKinds(lines, WARNING, WARNING),
  (lines) => foldLateKinds(lines, ERROR, ERROR),
  ...LINE_CHARS.map((chars) => (lines: KeptLine[]) => lines.map((line) => shorten(line, chars))),
];

/** Estimate of the whole; `known` holds that of lines counted before. */
function cost(lines: readonly KeptLine[], known: Map<KeptLine, number>): number {
  let tokens = 0;
  let next = 1;
  for (const line of lines) {
    if (line.line > next) tokens += MARKER_TOKENS;
    next = line.line + 1;
    let own = known.get(line);
    if (own === undefined) {
      own = estimateOf(line.text) + 1;
      known.set(line, own);
    }
    tokens += own;
  }
  return tokens;
}

function foldRepeats(lines: KeptLine[], from: Level, to: Level): KeptLine[] {
  return foldGroups(lines, (line) => (inRange(line, from, to) ? line.kind.foldKey : null));
}

function foldLateKinds(lines: KeptLine[], from: Level, to: Level): KeptLine[] {
  const early = new Set<string>();
  for (const line of lines) {
    if (!inRange(line, from, to)) continue;
    if (early.size === MAX_KINDS) break;
    early.add(line.kind.foldKey);
  }
  return foldGroups(lines, (line) =>
    inRange(line, from, to) && !early.has(line.kind.foldKey) ? 'late' : null,
  );
}

function inRange(line: KeptLine, from: Level, to: Level): boolean {
  return line.level >= from && line.level <= to;
}

/** Leaves the first three and the last line of each group; lines without a group stay. */
function foldGroups(lines: KeptLine[], groupOf: (line: KeptLine) => string | null): KeptLine[] {
  const seen = new Map<string, number>();
  const last = new Map<string, KeptLine>();
  for (const line of lines) {
    const group = groupOf(line);
    if (group !== null) last.set(group, line);
  }
  return lines.filter((line) => {
    const group = groupOf(line);
    if (group === null) return true;
    const count = (seen.get(group) ?? 0) + 1;
    seen.set(group, count);
    return line.pinned || count <= FIRST || last.get(group) === line;
  });
}
