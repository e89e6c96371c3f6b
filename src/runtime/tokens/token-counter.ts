import { cutLongRuns } from './long-runs.ts';
import { RankTable } from './rank-table.ts';

/** An encoding as js-tiktoken ships it: the pre-token pattern and the ranks. */
export interface Encoding {
  pat_str: string;
  bpe_ranks: string;
}

const NO_RANK = 0x7fff_ffff;

/** Counts the tokens of one encoding; no special tokens: `<|endoftext|>` in an output is ordinary text to its reader. */
export class TokenCounter {
  readonly #pattern: RegExp;
  readonly #table: RankTable;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #scratch = new Uint8Array(4096);
  #starts = new Int32Array(4096);
  #ranks = new Int32Array(4096);

  constructor(encoding: Encoding) {
    this.#pattern = new RegExp(encoding.pat_str, 'gu');
    this.#table = new RankTable(encoding.bpe_ranks);
  }

  /** Bytes that are no UTF-8 count as U+FFFD. `cut`: a word was so long that it was counted in parts. */
  count(text: Uint8Array): { tokens: number; cut: boolean } {
    const parts = cutLongRuns(this.#decoder.decode(text));
    let tokens = 0;
    for (const part of parts) {
      for (const [piece] of part.matchAll(this.#pattern)) tokens += this.#piece(piece);
    }
    return { tokens, cut: parts.length > 1 };
  }

  #piece(piece: string): number {
    this.#reserve(piece.length * 3 + 1);
    const length = this.#encoder.encodeInto(piece, this.#scratch).written;
    if (length <= 1 || this.#table.rank(this.#scratch, 0, length) >= 0) return 1;
    return this.#merge(length);
  }

  /** Byte pair merging: join the neighbours of lowest rank, leftmost first, until no pair is a token. */
  #merge(length: number): number {
    const starts = this.#starts;
    const ranks = this.#ranks;
    let parts = length;
    for (let i = 0; i <= length; i++) starts[i] = i;
    for (let i = 0; i < length; i++) ranks[i] = this.#pairRank(i, parts);
    while (parts > 1) {
      let best = 0;
      for (let i = 1; i < parts - 1; i++) if (ranks[i]! < ranks[best]!) best = i;
      if (ranks[best] === NO_RANK) break;
      starts.copyWithin(best + 1, best + 2, parts + 1);
      ranks.copyWithin(best + 1, best + 2, parts);
      parts--;
      ranks[best] = this.#pairRank(best, parts);
      if (best > 0) ranks[best - 1] = this.#pairRank(best - 1, parts);
    }
    return parts;
  }

  /** Rank of parts `i` and `i + 1` joined. */
  #pairRank(i: number, parts: number): number {
    if (i + 2 > parts) return NO_RANK;
    const rank = this.#table.rank(this.#scratch, this.#starts[i]!, this.#starts[i + 2]!);
    return rank < 0 ? NO_RANK : rank;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#scratch.length) return;
    this.#scratch = new Uint8Array(bytes * 2);
    this.#starts = new Int32Array(bytes * 2);
    this.#ranks = new Int32Array(bytes * 2);
  }
}
