/** Bytes of a stream that are looked at, and how often a verdict is due. */
const MAX_CHECKED_BYTES = 1 << 20;
const VERDICT_BYTES = 1 << 16;
/** Share of control bytes above which it is no text: random bytes have a tenth, programs and archives a third. */
const CONTROL_SHARE = 0.05;

/** 1 for controls that no text and no terminal output is made of: all but BEL to SI (blanks, line ends, charsets) and ESC. */
const FOREIGN = Uint8Array.from({ length: 256 }, (_, b) =>
  (b < 0x20 && !(b >= 0x07 && b <= 0x0f) && b !== 0x1b) || b === 0x7f ? 1 : 0,
);

/**
 * Tells programs, archives and pictures from text by their control bytes, NUL among them. Bytes above ASCII say
 * nothing: they may be text in an old encoding. Bounded: only the first MiB is read, with a verdict every 64 KiB.
 */
export class BinaryCheck {
  #checked = 0;
  #foreign = 0;
  #found = false;

  push(chunk: Uint8Array): void {
    let i = 0;
    while (i < chunk.length && !this.#found && this.#checked < MAX_CHECKED_BYTES) {
      const due = VERDICT_BYTES - (this.#checked % VERDICT_BYTES);
      const end = Math.min(chunk.length, i + due);
      this.#checked += end - i;
      for (; i < end; i++) this.#foreign += FOREIGN[chunk[i]!]!;
      if (this.#checked % VERDICT_BYTES === 0) this.#found = this.#isForeign;
    }
  }

  /** Certain from the bytes so far, whatever may follow. */
  get isCertain(): boolean {
    return this.#found;
  }

  /** The verdict once all bytes are there. */
  get isBinary(): boolean {
    return this.#found || (this.#checked < VERDICT_BYTES && this.#isForeign);
  }

  get #isForeign(): boolean {
    return this.#foreign > this.#checked * CONTROL_SHARE;
  }
}
