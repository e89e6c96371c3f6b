import stringWidth from 'string-width';
import { type Paint, plainPaint } from './paint.ts';
import { truncate } from './plain.ts';

export interface Column {
  title: string;
  align?: 'left' | 'right';
}

/** Columns have two blanks between them; the last one takes what is left of `width` terminal columns. */
const GAP = '  ';

/**
 * Rows under aligned titles, one string with a final newline. Cells must be one line each (see `oneLine`). Columns
 * in which every cell is empty are left out.
 */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  paint: Paint = plainPaint,
): string {
  const used = columns.map((_, i) => i).filter((i) => rows.some((row) => (row[i] ?? '') !== ''));
  const widths = used.map((i) =>
    Math.max(stringWidth(columns[i]!.title), ...rows.map((row) => stringWidth(row[i] ?? ''))),
  );
  const before = widths.slice(0, -1).reduce((sum, w) => sum + w + GAP.length, 0);
  const room = Math.max(16, width - before);
  const line = (cells: readonly string[]): string =>
    used
      .map((i, at) => {
        const cell = cells[i] ?? '';
        if (at === used.length - 1)
          return columns[i]!.align === 'right' ? pad(cell, widths[at]!, 'right') : truncate(cell, room);
        return pad(cell, widths[at]!, columns[i]!.align ?? 'left');
      })
      .join(GAP)
      .trimEnd();
  const head = paint('dim', line(columns.map((column) => column.title)));
  return `${[head, ...rows.map(line)].join('\n')}\n`;
}

/** `name  value` pairs, names aligned. A value of several lines keeps its lines under each other. */
export function facts(pairs: readonly (readonly [string, string])[], paint: Paint = plainPaint): string {
  const shown = pairs.filter(([, value]) => value !== '');
  const width = Math.max(0, ...shown.map(([name]) => stringWidth(name)));
  const margin = `\n${' '.repeat(width)}${GAP}`;
  return shown
    .map(
      ([name, value]) => `${paint('dim', pad(name, width, 'left'))}${GAP}${value.replaceAll('\n', margin)}\n`,
    )
    .join('');
}

function pad(text: string, width: number, align: 'left' | 'right'): string {
  const blanks = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? blanks + text : text + blanks;
}
