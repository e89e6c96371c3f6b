import type { Level } from './importance.ts';
import type { Kind } from './kind.ts';

/** A line that may be shown. */
export interface KeptLine {
  /** Number among the cleaned lines, from 1. */
  line: number;
  /** What is shown: long lines are windowed. Without line end. */
  text: string;
  level: Level;
  kind: Kind;
  /** Lower bound of the tokens of all lines before this one, and of this one as it was. */
  tokensBefore: number;
  tokens: number;
  /** Bytes cut out of `text`; 0 when it is whole. */
  cutBytes: number;
  /** Head, tail and markers of an earlier pass: no budget takes them away. */
  pinned: boolean;
}
