import type { Row } from './row.ts';

export interface Rounds {
  /** Of what takes milliseconds. */
  many: number;
  /** Of what takes seconds. */
  few: number;
}

/** Rows that are measured together, under daemons of their own. */
export interface Group {
  /** What `--only` names. */
  name: string;
  measure(rounds: Rounds): Promise<Row[]>;
}
