/** Slots of the hash table: a power of two, over twice the 200,000 tokens of o200k_base. */
const SLOTS = 1 << 19;

/**
 * The tokens of a byte pair encoding and their ranks, in some 6 MB. The library's own encoder holds them as strings
 * in two maps, 180 MB of the process that counts, and its merging of a word of 1,000 letters takes 80 ms.
 */
export class RankTable {
  readonly #bytes: Buffer;
  /** Token `rank` is `#bytes[#starts[rank], #ends[rank])`. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  /** Rank + 1 by hash, 0 for an empty slot; linear probing. */
  readonly #slots = new Int32Array(SLOTS);

  /** `ranks`: lines of `! FIRST-RANK TOKEN…`, tokens in base64, as js-tiktoken ships them. */
  constructor(ranks: string) {
    this.#bytes = Buffer.alloc(ranks.length);
    this.#starts = new Int32Array(SLOTS / 2);
    this.#ends = new Int32Array(SLOTS / 2);
    let at = 0;
    for (const line of ranks.split('\n')) {
      const [, first, ...tokens] = line.split(' ');
      let rank = Number(first);
      for (const token of tokens) {
        const end = at + this.#bytes.write(token, at, 'base64');
        this.#add(rank++, at, end);
        at = end;
      }
    }
  }

  #add(rank: number, start: number, end: number): void {
    this.#starts[rank] = start;
    this.#ends[rank] = end;
    let slot = hash(this.#bytes, start, end);
    while (this.#slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    this.#slots[slot] = rank + 1;
  }

  /** Rank of the token `text[start, end)`, or -1 when these bytes are no token. */
  rank(text: Uint8Array, start: number, end: number): number {
    let slot = hash(text, start, end);
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      if (this.#is(entry - 1, text, start, end)) return entry - 1;
      slot = (slot + 1) & (SLOTS - 1);
    }
    return -1;
  }

  #is(rank: number, text: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[rank]!;
    const length = end - start;
    if (this.#ends[rank]! - from !== length) return false;
    for (let i = 0; i < length; i++) if (this.#bytes[from + i] !== text[start + i]) return false;
    return true;
  }
}

/** FNV-1a, folded to a slot. */
function hash(text: Uint8Array, start: number, end: number): number {
  let h = 0x811c9dc5;
  for (let i = start; i < end; i++) h = Math.imul(h ^ text[i]!, 0x01000193);
  return (h ^ (h >>> 15)) & (SLOTS - 1);
}
