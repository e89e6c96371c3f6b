import { CavemanError } from '../protocol/errors.ts';
import type { DaemonMessage } from '../protocol/jobs.ts';
import type { Context } from './context.ts';
import { expandJob } from './expand-job.ts';
import { lateJob } from './late-job.ts';
import { MissLimit } from './miss-limit.ts';
import { projectJob } from './project-job.ts';

type JobMessage = Extract<DaemonMessage, { type: 'project' | 'late' | 'expand' }>;

/** The daemon's running jobs. Each is answered exactly once, at worst with `failed`. */
export class Jobs {
  readonly #context: Context;
  readonly #misses = new MissLimit(Date.now);
  readonly #running = new Map<string, { abort: AbortController; done: Promise<void> }>();

  constructor(context: Context) {
    this.#context = context;
  }

  start(message: JobMessage): void {
    const abort = new AbortController();
    // The daemon numbers each kind of job by itself.
    const key = `${message.type} ${message.job}`;
    const done = this.#run(message, abort.signal).finally(() => this.#running.delete(key));
    this.#running.set(key, { abort, done });
  }

  /** Only an `expand` is ever cancelled: its reader has left. */
  cancel(job: number): void {
    this.#running.get(`expand ${job}`)?.abort.abort();
  }

  /** Resolves when every job that runs now has ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
  }

  async #run(message: JobMessage, signal: AbortSignal): Promise<void> {
    try {
      switch (message.type) {
        case 'project':
          return await projectJob(message, this.#context, signal);
        case 'late':
          return await lateJob(message, this.#context, signal);
        case 'expand':
          return await expandJob(message, this.#context, this.#misses, signal);
      }
    } catch (error) {
      const reason = (error as Error).message;
      const expected = error instanceof CavemanError;
      this.#context.log.error(
        expected ? { job: message.type, code: error.code, reason } : { job: message.type, err: error },
        'job failed',
      );
      if (message.type === 'expand') this.#context.daemon.send({ type: 'expanded', job: message.job });
      else this.#context.daemon.send({ type: 'failed', job: message.job, reason });
    }
  }
}
