/**
 * Lets one step of long work through per turn of the event loop, however many long jobs there are: between two
 * steps the loop serves messages and small jobs, so a 1 KiB capture waits for one step of one 2 GiB job, not for all.
 */
export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  #turning = false;

  /** Await this before each step. */
  turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (!this.#turning) this.#schedule();
    });
  }

  #schedule(): void {
    this.#turning = true;
    setImmediate(() => {
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#schedule();
      else this.#turning = false;
    });
  }
}
