import { PLAIN } from './terminal/importance.ts';
import type { KeptLine } from './terminal/kept.ts';
import type { Kind } from './terminal/kind.ts';
import { windowed } from './terminal/window.ts';
import { estimateTokens } from './tokens.ts';

/** Estimated tokens kept from each end of a file that is too long to show. */
const HEAD_TOKENS = 1200;
const TAIL_TOKENS = 800;

interface Cost {
  line: KeptLine;
  tokens: number;
}

/** Keeps the beginning and the end of a file read, in bounded memory: one cut in the middle, no line altered. */
export class MiddleCut {
  readonly #kind: Kind;
  readonly #head: KeptLine[] = [];
  #headTokens = 0;
  #tail: Cost[] = [];
  #tailStart = 0;
  #tailTokens = 0;

  /** `kind`: what the kept lines are said to be of. */
  constructor(kind: Kind) {
    this.#kind = kind;
  }

  push(bytes: Uint8Array, start: number, end: number, number: number): void {
    const shown = windowed(bytes, start, end, PLAIN);
    const line: KeptLine = {
      line: number,
      ...shown,
      level: PLAIN,
      kind: this.#kind,
      tokensBefore: 0,
      tokens: 0,
      pinned: true,
    };
    const tokens = estimateTokens(end - start - shown.cutBytes + 1, 0);
    if (this.#tail.length === 0 && this.#headTokens + tokens <= HEAD_TOKENS) {
      this.#headTokens += tokens;
      this.#head.push(line);
      return;
    }
    this.#tail.push({ line, tokens });
    this.#tailTokens += tokens;
    while (this.#tailTokens > TAIL_TOKENS && this.#tailStart < this.#tail.length - 1) {
      this.#tailTokens -= this.#tail[this.#tailStart]!.tokens;
      this.#tailStart++;
    }
    if (this.#tailStart > 1024) {
      this.#tail = this.#tail.slice(this.#tailStart);
      this.#tailStart = 0;
    }
  }

  lines(): KeptLine[] {
    return [...this.#head, ...this.#tail.slice(this.#tailStart).map((cost) => cost.line)];
  }
}
