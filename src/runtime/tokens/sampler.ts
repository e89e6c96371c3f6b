/** Streams up to this length are counted exactly, byte for byte. */
export const EXACT_BYTES = 256 * 1024;
/** Of a longer stream, pieces of this many bytes: some 600 tokens each, of which its two cuts add one or two. */
export const PIECE_BYTES = 2 * 1024;
const SAMPLES = 32;

/** What the tokenizer gets to count: all of a text, or evenly spaced pieces of it. */
export interface Sample {
  /** Byte length of the whole text. */
  totalBytes: number;
  pieces: Uint8Array[];
}

/**
 * Picks what to count from a stream of known length while it passes by, in at most `EXACT_BYTES` of memory:
 * everything up to that length, else 32 pieces of 2 KiB at even distances.
 */
export class Sampler {
  readonly #total: number;
  readonly #pieceBytes: number;
  readonly #stride: number;
  readonly #pieces: Uint8Array[] = [];
  readonly #filled: number[] = [];
  #at = 0;

  constructor(totalBytes: number) {
    this.#total = totalBytes;
    const exact = totalBytes <= EXACT_BYTES;
    this.#pieceBytes = exact ? totalBytes : PIECE_BYTES;
    // The first piece starts at 0 and the last one ends at the end of the text.
    this.#stride = exact ? totalBytes : (totalBytes - this.#pieceBytes) / (SAMPLES - 1);
  }

  /** Bytes of the stream, in order, in chunks of any size; what goes beyond the announced length is ignored. */
  push(chunk: Uint8Array): void {
    const start = this.#at;
    const end = Math.min(start + chunk.length, this.#total);
    this.#at = start + chunk.length;
    if (end <= start || this.#pieceBytes === 0) return;
    const first = Math.max(0, Math.floor((start - this.#pieceBytes) / this.#stride));
    for (let i = first; this.#startOf(i) < end && this.#startOf(i) < this.#total; i++) {
      const from = this.#startOf(i);
      const to = Math.min(from + this.#pieceBytes, this.#total);
      const low = Math.max(from, start);
      const high = Math.min(to, end);
      if (high <= low) continue;
      let piece = this.#pieces[i];
      if (!piece) {
        piece = new Uint8Array(to - from);
        this.#pieces[i] = piece;
      }
      piece.set(chunk.subarray(low - start, high - start), low - from);
      this.#filled[i] = high - from;
    }
  }

  /** A stream that ended early gives what was there. */
  sample(): Sample {
    const pieces = this.#pieces
      .map((piece, i) => piece.subarray(0, this.#filled[i] ?? 0))
      .filter((piece) => piece.length > 0);
    return { totalBytes: Math.min(this.#at, this.#total), pieces };
  }

  #startOf(i: number): number {
    return Math.round(i * this.#stride);
  }
}

/** Sample of bytes that are all there. */
export function sampleOf(bytes: Uint8Array): Sample {
  const sampler = new Sampler(bytes.length);
  sampler.push(bytes);
  return sampler.sample();
}
