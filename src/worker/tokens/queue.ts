import type { Archive } from '../../archive/types.ts';
import type { Log } from '../../runtime/log.ts';
import { countSample, stopTokenizer } from '../../runtime/tokens/count.ts';
import type { Sample } from '../../runtime/tokens/sampler.ts';

/** What to count for one capture: its streams, and the text that was shown. */
export interface CountJob {
  captureId: string;
  before: Sample[];
  /** Null: the original was shown, so both counts are one. */
  after: Sample[] | null;
}

/** Pending counts; each holds at most some 256 KiB a stream. Under a flood the oldest go uncounted. */
const MAX_PENDING = 48;
/** The loaded tokenizer holds some 100 MB; it is given back after this. */
const IDLE_MS = 30_000;

/** Counts tokens after delivery, one capture at a time, in the tokenizer's thread. */
export class TokenQueue {
  readonly #archive: () => Archive;
  readonly #log: Log;
  #pending: CountJob[] = [];
  #running = false;
  #idle: NodeJS.Timeout | null = null;

  constructor(archive: () => Archive, log: Log) {
    this.#archive = archive;
    this.#log = log;
  }

  add(job: CountJob): void {
    this.#pending.push(job);
    if (this.#pending.length > MAX_PENDING) this.#pending.shift();
    if (!this.#running) void this.#run();
  }

  /** Counts now, before what is pending. Rejects when the tokenizer fails. */
  async count(job: CountJob): Promise<void> {
    this.#stayAwake();
    try {
      const before = await total(job.before);
      const after = job.after ? await total(job.after) : before;
      await this.#archive().setTokens(
        job.captureId,
        before.tokens,
        after.tokens,
        before.estimated || after.estimated,
      );
    } finally {
      this.#sleepLater();
    }
  }

  async close(): Promise<void> {
    this.#pending = [];
    this.#stayAwake();
    await stopTokenizer();
  }

  async #run(): Promise<void> {
    this.#running = true;
    for (let job = this.#pending.shift(); job; job = this.#pending.shift()) {
      try {
        await this.count(job);
      } catch (error) {
        this.#log.warn({ capture: job.captureId, reason: (error as Error).message }, 'tokens not counted');
      }
    }
    this.#running = false;
  }

  #stayAwake(): void {
    if (this.#idle) clearTimeout(this.#idle);
    this.#idle = null;
  }

  #sleepLater(): void {
    this.#stayAwake();
    this.#idle = setTimeout(() => {
      if (!this.#running) void stopTokenizer();
    }, IDLE_MS);
    this.#idle.unref();
  }
}

async function total(samples: Sample[]): Promise<{ tokens: number; estimated: boolean }> {
  let tokens = 0;
  let estimated = false;
  for (const sample of samples) {
    const counted = await countSample(sample);
    tokens += counted.tokens;
    estimated ||= counted.estimated;
  }
  return { tokens, estimated };
}
