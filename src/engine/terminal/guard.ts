import type { KeptLine } from './kept.ts';

/** The redundancy guard's numbers. Source: DESIGN §6 and the seed. */
const MAX_WORDS = 128;
const MAX_SAMPLES = 64;
const MAX_PROMOTIONS = 128;
const SHARE = 0.9;

/**
 * A line's words: runs of letters, digits and `_`, at most 128 distinct ones. Digit runs are masked to `#` if any
 * word of the line has a letter.
 */
export function wordsOf(text: string): Set<string> {
  const found = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const mask = /\p{L}/u.test(text);
  const words = new Set<string>();
  for (const word of found) {
    words.add(mask ? word.replace(/\p{N}+/gu, '#') : word);
    if (words.size === MAX_WORDS) break;
  }
  return words;
}

/**
 * Decides which kinds of dropped lines the kept ones do not represent. It starts with up to 64 kept lines, sampled
 * evenly, as classes; a line is represented if nine tenths of its words lie in one class, or if it has none.
 */
export class RedundancyGuard {
  readonly #classes: Set<string>[] = [];
  #promotions = 0;

  constructor(kept: readonly KeptLine[]) {
    const samples = Math.min(kept.length, MAX_SAMPLES);
    for (let i = 0; i < samples; i++) {
      const at = samples === 1 ? 0 : Math.round((i * (kept.length - 1)) / (samples - 1));
      this.#classes.push(wordsOf(kept[at]!.text));
    }
  }

  /**
   * `represented`: may be dropped. `promoted`: must be kept, and represents later ones. `unrepresented`: after 128
   * promotions nothing becomes a class any more; all such lines are kept.
   */
  judge(text: string): 'represented' | 'promoted' | 'unrepresented' {
    const words = wordsOf(text);
    if (words.size === 0 || this.#isRepresented(words)) return 'represented';
    if (this.#promotions === MAX_PROMOTIONS) return 'unrepresented';
    this.#promotions++;
    this.#classes.push(words);
    return 'promoted';
  }

  #isRepresented(words: Set<string>): boolean {
    const allowed = Math.floor(words.size * (1 - SHARE) + 1e-9);
    for (let i = this.#classes.length - 1; i >= 0; i--) {
      if (misses(words, this.#classes[i]!, allowed) <= allowed) return true;
    }
    return false;
  }
}

/** How many of `words` are not in `known`; stops counting above `limit`. */
function misses(words: Set<string>, known: Set<string>, limit: number): number {
  let missing = 0;
  for (const word of words) if (!known.has(word) && ++missing > limit) break;
  return missing;
}
