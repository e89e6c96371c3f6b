const MAX_MISSES = 5;
const WINDOW_MS = 60_000;

/**
 * Bounds guessing through the rendezvous, where a request may come from inside a sandbox: after five unknown handles
 * within a minute nobody is answered until the oldest of them is a minute old.
 */
export class MissLimit {
  readonly #now: () => number;
  #misses: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  miss(): void {
    this.#misses.push(this.#now());
  }

  /** Seconds to wait; 0 when a request may be answered. */
  secondsToWait(): number {
    const now = this.#now();
    this.#misses = this.#misses.filter((at) => now - at < WINDOW_MS);
    const oldest = this.#misses[this.#misses.length - MAX_MISSES];
    return oldest === undefined ? 0 : Math.ceil((oldest + WINDOW_MS - now) / 1000);
  }
}
