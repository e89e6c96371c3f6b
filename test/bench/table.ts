import { type Bar, median, percentile, type Row, ratioOf, verdictOf } from './row.ts';

const HEAD = ['name', 'unit', 'median', 'p95', '÷ node', 'bar', 'verdict', 'n'];

/** A Markdown table, missed bars first, then those that hold, then what has none. */
export function table(rows: readonly Row[]): string {
  const order = { MISSED: 0, ok: 1, '': 2 };
  const sorted = [...rows].sort((a, b) => order[verdictOf(a)] - order[verdictOf(b)]);
  const cells = [HEAD, ...sorted.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  const text = cells.map((line) => `| ${line.map((cell, i) => pad(cell, widths[i]!, i)).join(' | ')} |`);
  const rule = `| ${widths.map((width, i) => (isText(i) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [text[0], rule, ...text.slice(1)].join('\n');
}

function cellsOf(row: Row): string[] {
  const ratio = ratioOf(row);
  const empty = row.samples.length === 0;
  return [
    row.name,
    row.unit,
    empty ? '' : figure(median(row.samples)),
    empty ? '' : figure(percentile(row.samples, 0.95)),
    ratio === null ? '' : figure(ratio),
    row.bar ? barText(row.bar) : row.holds === null ? '' : 'holds',
    verdictOf(row),
    empty ? '' : String(row.samples.length),
  ];
}

function barText(bar: Bar): string {
  const sense = bar.sense === 'at most' ? '≤' : '≥';
  const of = { ratio: ' of a node start', median: '', largest: ' (largest)', smallest: ' (smallest)' }[
    bar.of
  ];
  return `${sense} ${bar.limit}${of}`;
}

function figure(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 4);
}

function isText(column: number): boolean {
  return column < 2 || column === 5 || column === 6;
}

function pad(cell: string, width: number, column: number): string {
  return isText(column) ? cell.padEnd(width) : cell.padStart(width);
}
