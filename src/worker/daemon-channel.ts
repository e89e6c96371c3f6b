import { CavemanError } from '../protocol/errors.ts';
import type { DaemonStatus, WorkerMessage } from '../protocol/jobs.ts';
import type { DaemonLink } from './context.ts';

const STATUS_TIMEOUT_MS = 2_000;

/** The daemon at the other end of the child process channel. A closed channel drops what is sent. */
export class DaemonChannel implements DaemonLink {
  readonly #waiting = new Map<number, (status: DaemonStatus) => void>();
  #asked = 0;

  send(message: WorkerMessage): void {
    if (process.connected) process.send?.(message, undefined, undefined, () => {});
  }

  askStatus(): Promise<DaemonStatus> {
    const job = ++this.#asked;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(job);
        reject(new CavemanError('daemon-hung', 'the daemon does not answer; run: caveman daemon restart'));
      }, STATUS_TIMEOUT_MS);
      this.#waiting.set(job, (status) => {
        clearTimeout(timer);
        resolve(status);
      });
      this.send({ type: 'askStatus', job });
    });
  }

  answered(job: number, status: DaemonStatus): void {
    this.#waiting.get(job)?.(status);
    this.#waiting.delete(job);
  }
}
