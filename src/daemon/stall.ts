const TICK_MS = 250;
/** A pump gives up between 2 and 3 s after the command's end: a shorter stall costs nothing. */
const STALL_MS = 1500;

/** Notices that this process did not run for a while: it was stopped, or the machine had no time for it. */
export class StallWatch {
  private last = performance.now();
  private stalledAt = Number.NEGATIVE_INFINITY;
  private readonly timer = setInterval(() => this.look(), TICK_MS).unref();

  /** Whether there was a stall that pumps may have taken for our end. */
  recent(): boolean {
    this.look();
    return this.last - this.stalledAt < STALL_MS;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const now = performance.now();
    if (now - this.last > STALL_MS) this.stalledAt = now;
    this.last = now;
  }
}
