const START_BYTES = 64 * 1024;

/** Collects lines, each with its newline, into one growing buffer. */
export class LineBuffer {
  #bytes = new Uint8Array(START_BYTES);
  length = 0;

  /** Copies `line[start, end)` and a newline. */
  line(line: Uint8Array, start: number, end: number): void {
    const needed = this.length + (end - start) + 1;
    if (needed > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.length));
      this.#bytes = grown;
    }
    this.#bytes.set(line.subarray(start, end), this.length);
    this.#bytes[needed - 1] = 0x0a;
    this.length = needed;
  }

  /** Gives the collected bytes away and starts anew. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.length);
    this.#bytes = new Uint8Array(START_BYTES);
    this.length = 0;
    return taken;
  }
}
