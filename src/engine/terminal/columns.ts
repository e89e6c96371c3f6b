import type { KeptLine } from './kept.ts';

/** Distinct values after which a column is held to vary freely. */
const MAX_VALUES = 8;
/** Lines kept for one odd value. */
const LINES_PER_VALUE = 3;
/** Fewer lines of a kind than this say nothing about what is usual. */
const MIN_LINES = 10;
/** Share of its lines that a value must have to be the usual one. */
const USUAL_SHARE = 0.9;
/** Share up to which a zero among other numbers is rare. */
const ZERO_SHARE = 0.05;

interface Value {
  value: number;
  count: number;
  lines: KeptLine[];
}

/**
 * The numbers of one kind of line, column by column, bounded: finds the one `503` among `200`, the one `0/1` among
 * `1/1`, the one `rows=0` among counts. Columns of ids, counters and measures drop out after eight values.
 */
export class Columns {
  readonly #values: (Value[] | null)[] = [];
  readonly #zeros: Value[] = [];
  #lines = 0;

  /** One more line of the kind. `keep` gives the line itself, and is only called when it may be needed. */
  observe(numbers: Float64Array, named: Uint8Array, count: number, keep: () => KeptLine): void {
    this.#lines++;
    for (let c = 0; c < count; c++) {
      const number = numbers[c]!;
      if (number === 0 && named[c] === 1) this.#zero(c, keep);
      if (c === this.#values.length) this.#values.push([]);
      const values = this.#values[c];
      if (values) this.#count(c, values, number, keep);
    }
  }

  /** The lines whose value in some column is unlike nearly all others of the kind. */
  odd(): KeptLine[] {
    if (this.#lines < MIN_LINES) return [];
    const out: KeptLine[] = [];
    for (let c = 0; c < this.#values.length; c++) {
      const values = this.#values[c];
      if (!values) {
        const zero = this.#zeros[c];
        if (zero && zero.count <= Math.max(1, this.#lines * ZERO_SHARE)) out.push(...zero.lines);
        continue;
      }
      const usual = Math.max(...values.map((v) => v.count));
      if (usual < this.#lines * USUAL_SHARE) continue;
      for (const v of values) if (v.count < usual) out.push(...v.lines);
    }
    return out;
  }

  #count(column: number, values: Value[], number: number, keep: () => KeptLine): void {
    for (const v of values) {
      if (v.value !== number) continue;
      v.count++;
      // The first value of a kind is nearly always the usual one; its lines are not odd then.
      if (v.lines.length < LINES_PER_VALUE && v.count * 8 < this.#lines) v.lines.push(keep());
      return;
    }
    if (values.length === MAX_VALUES) this.#values[column] = null;
    else values.push({ value: number, count: 1, lines: [keep()] });
  }

  /** A zero counts as news only after other values: a counter may well start at zero. */
  #zero(column: number, keep: () => KeptLine): void {
    const zero = this.#zeros[column];
    if (zero) {
      zero.count++;
    } else {
      this.#zeros[column] = { value: 0, count: this.#lines === 1 ? Infinity : 1, lines: [keep()] };
    }
  }
}
