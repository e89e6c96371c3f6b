import type { CavemanError } from './errors.ts';

/** What a receiver grants at the start of a transfer, and so the most that can wait in memory for one request. */
export const CREDIT_WINDOW_BYTES = 1024 * 1024;
/** Credit beyond this is not counted: a peer that grants without end still gets bounded memory. */
const MAX_CREDIT_BYTES = 16 * 1024 * 1024;

/** Bytes that the other end allows us to send for one request. */
export class Credit {
  #bytes = 0;
  #closed: CavemanError | null = null;
  #waiting: (() => void)[] = [];

  grant(bytes: number): void {
    this.#bytes = Math.min(this.#bytes + bytes, MAX_CREDIT_BYTES);
    this.#wake();
  }

  /** Takes 1 to `wanted` bytes, waiting for credit if there is none. Rejects once closed. */
  async take(wanted: number): Promise<number> {
    while (this.#bytes === 0 && !this.#closed) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    if (this.#closed) throw this.#closed;
    const taken = Math.min(wanted, this.#bytes);
    this.#bytes -= taken;
    return taken;
  }

  close(why: CavemanError): void {
    this.#closed ??= why;
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
