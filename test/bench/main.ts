import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import build from '../helpers/build.ts';
import { ROOT } from '../helpers/home.ts';
import type { Group } from './group.ts';
import { capture } from './groups/capture.ts';
import { engine } from './groups/engine.ts';
import { expand } from './groups/expand.ts';
import { memory } from './groups/memory.ts';
import { overhead } from './groups/overhead.ts';
import { prices } from './groups/prices.ts';
import { sourcing } from './groups/sourcing.ts';
import { together } from './groups/together.ts';
import { machine } from './machine.ts';
import { fact, median, percentile, type Row, ratioOf, verdictOf } from './row.ts';
import { table } from './table.ts';
import { undoOnSignals } from './undo.ts';

const GROUPS: readonly Group[] = [prices, overhead, sourcing, engine, capture, expand, memory, together];
const MANY = 40;
const FEW = 3;
/** A group that is not begun by then is left out, and named. */
const LAST_START_MS = 4 * 60_000;

/** Measures, prints the table, keeps a whole run's figures. Returns the exit status: 1 when a bar is missed. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { only: { type: 'string' }, runs: { type: 'string' } } });
  const groups = GROUPS.filter(({ name }) => values.only === undefined || name === values.only);
  const many = values.runs === undefined ? MANY : Number(values.runs);
  if (groups.length === 0 || !(many >= 1)) {
    const names = GROUPS.map(({ name }) => name).join('|');
    console.error(`usage: npm run bench [-- [--only ${names}] [--runs N]], N ≥ 1 (default ${MANY})`);
    return 2;
  }
  undoOnSignals();
  build();
  const from = performance.now();
  const rows: Row[] = [];
  for (const group of groups) {
    const begun = performance.now() - from;
    if (begun > LAST_START_MS) {
      rows.push(fact(`${group.name}: left out, the run took too long`, false));
      continue;
    }
    console.error(`${(begun / 1000).toFixed(0).padStart(4)} s  ${group.name}`);
    rows.push(...(await group.measure({ many, few: Math.min(many, FEW) })));
  }
  console.log(table(rows));
  if (values.only === undefined) console.error(`kept in ${keep(rows, (performance.now() - from) / 1000)}`);
  return rows.some((row) => verdictOf(row) === 'MISSED') ? 1 : 0;
}

/** Writes test/bench/results/DATE.json and returns its name within the clone. */
function keep(rows: readonly Row[], seconds: number): string {
  const date = new Date().toISOString().replace(/:\d\d\..*/, 'Z');
  const figures = rows.map((row) => ({
    name: row.name,
    unit: row.unit,
    median: rounded(median(row.samples)),
    p95: rounded(percentile(row.samples, 0.95)),
    samples: row.samples.length,
    ratio: rounded(ratioOf(row)),
    bar: row.bar,
    verdict: verdictOf(row),
  }));
  const name = `test/bench/results/${date.replace(':', '')}.json`;
  mkdirSync(join(ROOT, 'test/bench/results'), { recursive: true });
  const whole = { date, seconds: Math.round(seconds), machine: machine(), figures };
  writeFileSync(join(ROOT, name), `${JSON.stringify(whole, null, 2)}\n`);
  return name;
}

/** Four digits; null where there is no figure. */
function rounded(value: number | null): number | null {
  return value === null || Number.isNaN(value) ? null : Number(value.toPrecision(4));
}
