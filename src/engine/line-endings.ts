/** Changes of line ending that are remembered; a document with more gets one ending throughout. */
const MAX_CHANGES = 10_000;

/** Which physical lines ended in CRLF, as runs: nearly every document has one run. */
export class LineEndings {
  /** Numbers (from 1) of the lines at which the ending changes; the first line is taken to follow an LF line. */
  readonly #changes: number[] = [];
  #lines = 0;
  #crlfLines = 0;
  #last = false;

  /** One more line; `crlf`: at least one CR stood before its LF. */
  add(crlf: boolean): void {
    this.#lines++;
    if (crlf) this.#crlfLines++;
    if (crlf === this.#last) return;
    this.#last = crlf;
    if (this.#changes.length < MAX_CHANGES) this.#changes.push(this.#lines);
  }

  get lines(): number {
    return this.#lines;
  }

  /** The majority of lines ends in CRLF. */
  get mostlyCrlf(): boolean {
    return this.#crlfLines * 2 > this.#lines;
  }

  /**
   * Tells for ascending line numbers whether each ended in CRLF. `uniform`: the majority's ending for all, because
   * lines were redrawn and are no longer those of the input.
   */
  reader(uniform: boolean): (line: number) => boolean {
    const all = this.mostlyCrlf;
    if (uniform || this.#changes.length === MAX_CHANGES) return () => all;
    let next = 0;
    return (line) => {
      while (next < this.#changes.length && this.#changes[next]! <= line) next++;
      return next % 2 === 1;
    };
  }
}
