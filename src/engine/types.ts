import type { Ending } from '../protocol/capture.ts';

/** What made the text of a projection. Later: parsers, filters, shapes. */
export type Source = 'literal' | 'cleaned' | 'terminal';

/** One gap of a projection, in cleaned lines counted from 1, both ends included. */
export interface Elision {
  firstLine: number;
  lastLine: number;
  /** Lines that this gap hides (a gap may hold kept lines of a later pass: usually last − first + 1). */
  lines: number;
  /** Name of the rule that made it: `redundant`, `repeat`, `budget`, `window`. */
  rule: string;
}

/** What the engine must know besides the bytes. All optional facts have safe defaults. */
export interface ProjectOptions extends Ending {
  /** The command string as the shell got it; '' when unknown. */
  command: string;
  /** `$1`, for the command form that evaluates its first argument. */
  argument: string;
  stream: 'stdout' | 'stderr';
  /** `view.maxTokens`: budget of the text without its footer. */
  maxTokens: number;
  /** Show the original whatever it is. The reason names why (`raw`, `recovery verb`). */
  literal: string | null;
  /** The hook vanished or output was lost: no text of ours may claim success. */
  cutShort: boolean;
  /**
   * `capture`: text in the form of our marker or footer is quoted with `│ ` (it was printed by the command).
   * `stdin`: `compress`: markers of an earlier pass are kept as they are.
   */
  origin: 'capture' | 'stdin';
}

export interface Projection {
  source: Source;
  /** Why nothing was done, when `source` is literal: `empty`, `unchanged`, `not smaller`, `file read`, … ; else ''. */
  reason: string;
  /**
   * UTF-8 text without footer. Null when `source` is `literal`: the original bytes go through unchanged,
   * which also spares a copy of them.
   */
  text: string | null;
  elisions: Elision[];
  /** Lines of the original (LF-separated; a trailing newline is not a line). */
  linesBefore: number;
  /** Lines of the text (of the original, when literal). */
  linesAfter: number;
  bytesBefore: number;
}

/** Consumes the bytes of one stream in chunks of any size; the result does not depend on how they were cut. */
export interface Projector {
  push(chunk: Uint8Array): void;
  finish(): Projection;
}
