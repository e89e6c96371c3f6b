/**
 * Keeps a stock of things that take a while to make, and makes a batch when half of it is gone, so that taking one
 * costs nothing on the way of a command. When the stock is empty, `take` waits for the next batch.
 */
export class Supply<T> {
  private readonly stock: T[] = [];
  private readonly waiting: ((item: T | null) => void)[] = [];
  private readonly want: number;
  private readonly make: (count: number) => Promise<T[]>;
  private readonly discard: (item: T) => void;
  private readonly onFailure: (error: Error) => void;
  private making = false;
  private closed = false;

  constructor(
    want: number,
    make: (count: number) => Promise<T[]>,
    discard: (item: T) => void,
    onFailure: (error: Error) => void,
  ) {
    this.want = want;
    this.make = make;
    this.discard = discard;
    this.onFailure = onFailure;
  }

  get size(): number {
    return this.stock.length;
  }

  /** At once if there is one; else null, and a batch is under way. */
  tryTake(): T | null {
    const item = this.stock.pop() ?? null;
    if (this.stock.length < this.want / 2) void this.fill();
    return item;
  }

  /** Null when the supply is closed or nothing can be made. */
  take(): Promise<T | null> {
    const item = this.tryTake();
    if (item || this.closed) return Promise.resolve(item);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  async fill(): Promise<void> {
    if (this.making || this.closed) return;
    this.making = true;
    try {
      const made = await this.make(Math.max(1, this.want - this.stock.length + this.waiting.length));
      for (const item of made) {
        const waiter = this.waiting.shift();
        if (this.closed) this.discard(item);
        else if (waiter) waiter(item);
        else this.stock.push(item);
      }
    } catch (error) {
      for (const waiter of this.waiting.splice(0)) waiter(null);
      this.onFailure(error as Error);
    } finally {
      this.making = false;
    }
    if (this.waiting.length > 0) void this.fill();
  }

  /** Discards what is left, and what is just being made once it is there. */
  close(): void {
    this.closed = true;
    for (const waiter of this.waiting.splice(0)) waiter(null);
    for (const item of this.stock.splice(0)) this.discard(item);
  }
}
