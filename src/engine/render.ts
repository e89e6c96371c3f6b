import type { KeptLine } from './terminal/kept.ts';
import { looksLikeOurs, markerLine, quoted } from './terminal/marker.ts';
import type { Elision } from './types.ts';

export interface RenderOptions {
  /** Cleaned lines of the document. */
  lineCount: number;
  /** The majority of lines ends in CRLF: markers do too. */
  crlf: boolean;
  /** Whether a line ended in CRLF; asked in ascending order. */
  isCrlf: (line: number) => boolean;
  endsWithNewline: boolean;
  /** Lines that look like ours are quoted. */
  quotes: boolean;
  rule: string;
  /** Numbers of lines that only the budget took, ascending. */
  overBudget: readonly number[];
}

export interface Rendered {
  text: string;
  elisions: Elision[];
  linesAfter: number;
}

/** Joins sorted lines, one marker for each gap, one elision for each marker. */
export function render(lines: readonly KeptLine[], options: RenderOptions): Rendered {
  const end = options.crlf ? '\r\n' : '\n';
  const parts: string[] = [];
  const elisions: Elision[] = [];
  let next = 1;
  const gap = (upTo: number): void => {
    if (upTo <= next) return;
    parts.push(markerLine(upTo - next), end);
    elisions.push({ firstLine: next, lastLine: upTo - 1, lines: upTo - next, rule: options.rule });
  };
  for (const line of lines) {
    gap(line.line);
    const own = options.isCrlf(line.line) ? '\r\n' : '\n';
    parts.push(options.quotes && looksLikeOurs(line.text) ? quoted(line.text) : line.text, own);
    next = line.line + 1;
  }
  gap(options.lineCount + 1);
  if (!options.endsWithNewline) parts.pop();
  nameBudget(elisions, options.overBudget);
  return { text: parts.join(''), elisions, linesAfter: lines.length + elisions.length };
}

function nameBudget(elisions: Elision[], overBudget: readonly number[]): void {
  let i = 0;
  for (const elision of elisions) {
    while (i < overBudget.length && overBudget[i]! < elision.firstLine) i++;
    if (i < overBudget.length && overBudget[i]! <= elision.lastLine) elision.rule = 'budget';
  }
}
