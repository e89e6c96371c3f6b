import type { DaemonMessage } from '../protocol/jobs.ts';
import { answerLine } from '../protocol/rendezvous.ts';
import type { CaptureSet } from './capture-set.ts';
import type { Slot } from './slot.ts';
import type { WorkerProcess } from './worker-process.ts';

interface Expansion {
  slot: Slot;
  set: CaptureSet;
  /** Our own ends of the reply are still open. */
  open: boolean;
  /** Sent to the worker once the launcher says that it holds its end: a short reply must not be over before. */
  message: DaemonMessage | null;
}

/** `expand` through the rendezvous: the worker writes into the reply FIFO itself, nothing passes through here. */
export class Expansions {
  private readonly under = new Map<number, Expansion>();
  private next = 1;
  private readonly worker: () => WorkerProcess;

  constructor(worker: () => WorkerProcess) {
    this.worker = worker;
  }

  get size(): number {
    return this.under.size;
  }

  start(slot: Slot, nonce: string, args: string[], tty: boolean, set: CaptureSet): void {
    const job = this.next++;
    this.under.set(job, {
      slot,
      set,
      open: true,
      message: { type: 'expand', job, args, tty, replyPath: set.path('.r') },
    });
    slot.answer(answerLine(nonce, { id: '0', base: set.base, pts: '-', proc: '-', spool: '-' }));
  }

  /** Whatever the launcher says behind its request means: my end is open. */
  said(slot: Slot): void {
    for (const each of this.under.values()) {
      if (each.slot !== slot || !each.message) continue;
      this.worker().send(each.message);
      each.message = null;
    }
  }

  /** The worker has its own end now: ours goes, so that the reader sees the end and the writer a gone reader. */
  opened(job: number): void {
    this.finish(job, false);
  }

  over(job: number): void {
    this.finish(job, true);
  }

  /** The launcher went away. */
  left(slot: Slot): void {
    for (const [job, each] of this.under) {
      if (each.slot !== slot) continue;
      if (!each.message) this.worker().send({ type: 'cancel', job });
      this.finish(job, true);
    }
  }

  /** The launcher sees the end of file and falls back to the WebSocket. */
  workerDied(): void {
    for (const job of [...this.under.keys()]) this.finish(job, true);
  }

  private finish(job: number, forget: boolean): void {
    const each = this.under.get(job);
    if (!each) return;
    if (each.open) each.set.discard();
    each.open = false;
    if (!forget) return;
    each.slot.close();
    this.under.delete(job);
  }
}
