import { closeSync, openSync, readSync } from 'node:fs';
import type { CaptureFacts } from '../protocol/capture.ts';
import type { SpooledStream, StreamView, ViewRequest, WorkerMessage } from '../protocol/jobs.ts';
import type { WorkerProcess } from './worker-process.ts';

/** Sent whole from the spool while no worker answers; of longer ones head and tail, with a counted gap. */
const WHOLE_BYTES = 256 * 1024;
const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 16 * 1024;

export interface Projected {
  stdout: StreamView;
  stderr: StreamView | null;
  note: string;
}

/**
 * How a capture's way to the archive ended. `refused`: the archive would not take it, and the original was shown.
 * `kept`: it would not, and the spool is the only copy: it stays there for the next daemon to try.
 */
export type Outcome = 'archived' | 'refused' | 'kept';

interface PendingJob {
  facts: CaptureFacts;
  streams: SpooledStream[];
  view: ViewRequest;
  attempts: number;
  /** Whether what is (or will be) shown is the whole original, should the archive fail. */
  whole: boolean;
  answer(projected: Projected): void;
  over(outcome: Outcome): void;
}

/**
 * The captures that the worker has in hand. A worker that dies answers nothing: what it had is sent from the spool
 * at once and archived by the next one. A capture that kills a second worker is archived without the engine.
 */
export class ProjectionJobs {
  private readonly pending = new Map<number, PendingJob>();
  private next = 1;
  private readonly worker: () => WorkerProcess;
  private readonly trouble: (what: string) => void;

  constructor(worker: () => WorkerProcess, trouble: (what: string) => void) {
    this.worker = worker;
    this.trouble = trouble;
  }

  get size(): number {
    return this.pending.size;
  }

  /** `over` is called once the archive holds the streams or has failed, which may be long after the answer. */
  project(
    facts: CaptureFacts,
    streams: SpooledStream[],
    view: ViewRequest,
    over: (outcome: Outcome) => void,
  ): Promise<Projected> {
    const whole = view.deliver || view.shownWhole !== '';
    return new Promise((answer) => this.submit({ facts, streams, view, attempts: 0, whole, answer, over }));
  }

  receive(message: WorkerMessage): void {
    if (message.type !== 'projected' && message.type !== 'stored' && message.type !== 'failed') return;
    const job = this.pending.get(message.job);
    if (!job) return;
    if (message.type === 'projected') return job.answer(message);
    this.pending.delete(message.job);
    if (message.type === 'failed') {
      this.trouble(`capture ${job.facts.id} was not archived: ${message.reason}`);
    }
    // Without effect where a projection came before: nobody waits for ever.
    job.answer(original(job.streams));
    job.over(message.type === 'stored' ? 'archived' : job.whole ? 'refused' : 'kept');
  }

  workerDied(): void {
    const lost = [...this.pending.values()];
    this.pending.clear();
    for (const job of lost) {
      job.answer(withoutWorker(job.streams));
      job.attempts++;
      job.whole &&= job.streams.every((stream) => stream.bytes <= WHOLE_BYTES);
      job.view = { ...job.view, deliver: false };
      if (job.attempts > 1) job.facts.flags.raw = true;
      if (job.attempts <= 3) this.submit(job);
      else {
        this.trouble(`capture ${job.facts.id} stays in the spool: it kills the worker`);
        job.over('kept');
      }
    }
  }

  private submit(job: PendingJob): void {
    const number = this.next++;
    this.pending.set(number, job);
    const { facts, streams, view } = job;
    this.worker().send({ type: 'project', job: number, facts, streams, view });
  }
}

function original(streams: SpooledStream[]): Projected {
  const literal: StreamView = { kind: 'literal', trailer: '' };
  return { stdout: literal, stderr: streams.some((s) => s.name === 'stderr') ? literal : null, note: '' };
}

/** Nothing that counts lines or tokens runs here: whole, or cut by bytes, and said so. */
function withoutWorker(streams: SpooledStream[]): Projected {
  const of = (name: string): StreamView => {
    const stream = streams.find((s) => s.name === name);
    if (!stream || stream.bytes <= WHOLE_BYTES) return { kind: 'literal', trailer: '' };
    return { kind: 'text', text: headAndTail(stream) };
  };
  return {
    stdout: of('stdout'),
    stderr: streams.some((s) => s.name === 'stderr') ? of('stderr') : null,
    note: '',
  };
}

function headAndTail(stream: SpooledStream): Uint8Array {
  const head = Buffer.alloc(HEAD_BYTES);
  const tail = Buffer.alloc(TAIL_BYTES);
  const fd = openSync(stream.path, 'r');
  try {
    readSync(fd, head, 0, HEAD_BYTES, 0);
    readSync(fd, tail, 0, TAIL_BYTES, stream.bytes - TAIL_BYTES);
  } finally {
    closeSync(fd);
  }
  const headEnd = head.lastIndexOf(10) + 1 || HEAD_BYTES;
  const tailStart = tail.indexOf(10) + 1;
  const gone = stream.bytes - headEnd - (TAIL_BYTES - tailStart);
  const gap = `… ${gone} bytes elided (caveman: its worker is restarting; \`caveman list\` will name the handle) …\n`;
  return Buffer.concat([head.subarray(0, headEnd), Buffer.from(gap), tail.subarray(tailStart)]);
}
