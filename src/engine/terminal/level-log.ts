import { estimateOf } from '../tokens.ts';
import type { KeptLine } from './kept.ts';

/** Every line of one level, in order, until they alone would outgrow the budget. */
export class LevelLog {
  readonly #maxTokens: number;
  #tokens = 0;
  #lines: KeptLine[] = [];
  /** The level must be folded: only the first and last lines of its kinds are left. */
  folded = false;

  constructor(maxTokens: number) {
    this.#maxTokens = maxTokens;
  }

  get lines(): readonly KeptLine[] {
    return this.#lines;
  }

  add(line: KeptLine): void {
    this.#tokens += estimateOf(line.text) + 1;
    this.#lines.push(line);
    if (this.#tokens > this.#maxTokens) {
      this.folded = true;
      this.#lines = [];
    }
  }
}
