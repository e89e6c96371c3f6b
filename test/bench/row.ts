/** What a figure must reach. A `ratio` is the figure's median divided by a bare `node -e 0` start of the same run. */
export interface Bar {
  of: 'ratio' | 'median' | 'largest' | 'smallest';
  sense: 'at most' | 'at least';
  limit: number;
}

/** One measured figure. */
export interface Row {
  /** `overhead: bash, no agent` */
  name: string;
  /** Of every sample: ms, MB/s (10^6 bytes), MiB, µs, × (a plain ratio). */
  unit: string;
  samples: number[];
  bar: Bar | null;
  /** Median of a bare `node -e 0` start measured between the samples of this row, in ms; null: no ratio. */
  nodeStartMs: number | null;
  /** A bar that names something to be true rather than a figure; null when there is none. */
  holds: boolean | null;
}

/** A row that is only shown. */
export function row(name: string, unit: string, samples: number[], more: Partial<Row> = {}): Row {
  return { name, unit, samples, bar: null, nodeStartMs: null, holds: null, ...more };
}

/** A row that states what must hold, without a figure. */
export function fact(name: string, holds: boolean): Row {
  return row(name, '', [], { holds });
}

export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

export function ratioOf(row: Row): number | null {
  return row.nodeStartMs === null ? null : median(row.samples) / row.nodeStartMs;
}

export type Verdict = 'ok' | 'MISSED' | '';

export function verdictOf(row: Row): Verdict {
  if (row.holds !== null) return row.holds ? 'ok' : 'MISSED';
  if (row.bar === null) return '';
  const figure = barred(row, row.bar);
  return (row.bar.sense === 'at most' ? figure <= row.bar.limit : figure >= row.bar.limit) ? 'ok' : 'MISSED';
}

function barred(row: Row, bar: Bar): number {
  switch (bar.of) {
    case 'ratio':
      return ratioOf(row) ?? Number.NaN;
    case 'median':
      return median(row.samples);
    case 'largest':
      return Math.max(...row.samples);
    case 'smallest':
      return Math.min(...row.samples);
  }
}
