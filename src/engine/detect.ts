/** What kind of bytes a stream holds, as `caveman detect` prints it. */
export type ContentType = 'terminal' | 'text';

const ESC = 0x1b;
const CR = 0x0d;
const LF = 0x0a;
/** Bare carriage returns (not part of a line end) that tell a redrawing progress bar. Source: the seed's rule. */
const BARE_CR_FLOOR = 3;

/** Streaming form of `detect`: chunks of any size, the same answer. */
export class Detector {
  #escape = false;
  #afterEscape = false;
  #bareCrs = 0;
  #afterCr = false;

  push(chunk: Uint8Array): void {
    this.#findEscape(chunk);
    if (this.#bareCrs < BARE_CR_FLOOR) this.#countBareCrs(chunk);
  }

  get type(): ContentType {
    const bare = this.#bareCrs + (this.#afterCr ? 1 : 0);
    return this.#escape || bare >= BARE_CR_FLOOR ? 'terminal' : 'text';
  }

  #findEscape(chunk: Uint8Array): void {
    if (this.#escape || chunk.length === 0) return;
    if (this.#afterEscape && isEscapeTail(chunk[0]!)) this.#escape = true;
    this.#afterEscape = false;
    for (let at = chunk.indexOf(ESC); at >= 0 && !this.#escape; at = chunk.indexOf(ESC, at + 1)) {
      if (at + 1 === chunk.length) this.#afterEscape = true;
      else if (isEscapeTail(chunk[at + 1]!)) this.#escape = true;
    }
  }

  /** A run of CRs before LF is one line end: only a CR followed by another byte is bare. */
  #countBareCrs(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#afterCr && chunk[0] !== LF && chunk[0] !== CR) this.#bareCrs++;
    if (chunk[0] !== CR) this.#afterCr = false;
    for (let at = chunk.indexOf(CR); at >= 0; at = chunk.indexOf(CR, at + 1)) {
      const next = chunk[at + 1];
      if (next === undefined) this.#afterCr = true;
      else if (next !== LF && next !== CR) {
        this.#bareCrs++;
        this.#afterCr = false;
        if (this.#bareCrs >= BARE_CR_FLOOR) return;
      } else this.#afterCr = false;
    }
  }
}

/** The byte after ESC: intermediates and finals of ECMA-35/48 sequences, 0x20–0x7e. */
function isEscapeTail(byte: number): boolean {
  return byte >= 0x20 && byte <= 0x7e;
}

/**
 * `terminal` when the bytes hold an escape sequence, or at least 3 bare carriage returns (CRLF not counted);
 * else `text`. Never throws.
 */
export function detect(bytes: Uint8Array): ContentType {
  const detector = new Detector();
  detector.push(bytes);
  return detector.type;
}
