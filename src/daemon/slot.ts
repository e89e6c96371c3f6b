import { closeSync, renameSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { type RendezvousRequest, RequestReader, refusalLine } from '../protocol/rendezvous.ts';
import { openBothEnds, openReadEnd, removeQuietly } from './fifo.ts';

/** A request that does not arrive whole in this time is refused. */
const REQUEST_TIMEOUT_MS = 2000;

/** What a slot tells its owner. `taken` comes once per slot; after it the slot's name is free for a new one. */
export interface SlotEvents {
  taken(slot: Slot, request: RendezvousRequest): void;
  /** Refused or broken: lay the name anew. */
  spoilt(slot: Slot, why: string): void;
  /** Bytes that follow the request (the hook's report of the end). */
  said(slot: Slot, bytes: Buffer): void;
  /** The hook let go of the request FIFO. */
  left(slot: Slot): void;
}

/** One request FIFO and one answer FIFO, laid under the slot's name until a hook takes them. */
export class Slot {
  readonly name: string;
  state: 'free' | 'taken' | 'over' = 'free';
  private readonly request: Socket;
  private readonly answerFd: number;
  private readonly reader = new RequestReader();
  private readonly events: SlotEvents;
  private timer: NodeJS.Timeout | null = null;
  private answered = false;

  /** `base` names the FIFOs as they were made; they are renamed to `qNAME` and `pNAME` here. */
  constructor(directory: string, base: string, name: string, events: SlotEvents) {
    this.name = name;
    this.events = events;
    renameSync(join(directory, `${base}.q`), join(directory, `q${name}`));
    renameSync(join(directory, `${base}.p`), join(directory, `p${name}`));
    this.answerFd = openBothEnds(join(directory, `p${name}`));
    // No write end of ours here: the end of file tells that the hook is gone.
    this.request = new Socket({
      fd: openReadEnd(join(directory, `q${name}`)),
      readable: true,
      writable: false,
    });
    this.request.on('data', (chunk: Buffer) => this.take(chunk));
    this.request.on('end', () => this.leave());
    this.request.on('error', () => this.leave());
  }

  /** The line fits the FIFO, which is empty: the write cannot block. */
  answer(line: string): void {
    if (this.answered) return;
    this.answered = true;
    try {
      writeSync(this.answerFd, line);
    } catch {
      // The hook waits in vain and runs untouched.
    }
    // The hook may not have opened its end yet: keep ours until it must have given up.
    setTimeout(() => closeSync(this.answerFd), 1000).unref();
  }

  close(): void {
    this.state = 'over';
    if (this.timer) clearTimeout(this.timer);
    this.request.destroy();
    if (!this.answered) closeSync(this.answerFd);
    this.answered = true;
  }

  static removeNames(directory: string, name: string): void {
    removeQuietly(directory, [`q${name}`, `p${name}`]);
  }

  private take(chunk: Buffer): void {
    if (this.state === 'taken') return this.events.said(this, chunk);
    if (this.state === 'over') return;
    this.timer ??= setTimeout(() => this.spoil('', 'half a request'), REQUEST_TIMEOUT_MS).unref();
    const outcome = this.reader.push(chunk);
    if (outcome.state === 'bad') return this.spoil(outcome.nonce, 'not a request of this version');
    if (outcome.state === 'more') return;
    clearTimeout(this.timer);
    this.state = 'taken';
    this.events.taken(this, outcome.request);
    if (outcome.rest.length > 0) this.events.said(this, Buffer.from(outcome.rest));
  }

  private spoil(nonce: string, why: string): void {
    if (nonce) this.answer(refusalLine(nonce));
    this.close();
    this.events.spoilt(this, why);
  }

  private leave(): void {
    if (this.state === 'over') return;
    const wasFree = this.state === 'free';
    this.close();
    if (wasFree) this.events.spoilt(this, 'the hook left before it asked');
    else this.events.left(this);
  }
}
