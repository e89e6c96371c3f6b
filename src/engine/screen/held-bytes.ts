/** A buffer larger than this is given back when it is empty. */
const KEEP_BYTES = 1 << 20;
const MIN_BYTES = 4096;

/** Bytes at the end of a chunk that cannot be understood without the next one. */
export class HeldBytes {
  bytes: Uint8Array = new Uint8Array(0);
  length = 0;

  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.bytes.length, MIN_BYTES));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    this.bytes.set(chunk, this.length);
    this.length = length;
  }

  /** Keeps only what stands at `from` and after it. */
  dropBefore(from: number): void {
    if (from === 0) return;
    this.bytes.copyWithin(0, from, this.length);
    this.length -= from;
    if (this.length === 0 && this.bytes.length > KEEP_BYTES) this.bytes = new Uint8Array(0);
  }
}
