import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { DaemonMessage, DaemonStatus, SpooledStream, WorkerMessage } from '../protocol/jobs.ts';
import { type RendezvousRequest, type RunRequest, refusalLine } from '../protocol/rendezvous.ts';
import { VERSION } from '../protocol/version.ts';
import type { PtyPackage } from '../pty/package.ts';
import { isTtySensitive, parseTtySensitive, type TtySensitive } from '../pty/tty-sensitive.ts';
import type { Log } from '../runtime/log.ts';
import { type Paths, productRoot } from '../runtime/paths.ts';
import { privateDirectory } from '../runtime/private-dir.ts';
import { type CaptureEnvironment, RunningCapture } from './capture.ts';
import { type CaptureSet, layCaptureSets } from './capture-set.ts';
import { Expansions } from './expansion.ts';
import { removeQuietly } from './fifo.ts';
import { ProjectionJobs } from './jobs.ts';
import { orphans, removeJournal, strays } from './journal.ts';
import type { DaemonLock } from './lock.ts';
import { Rendezvous } from './rendezvous.ts';
import type { Slot } from './slot.ts';
import { StallWatch } from './stall.ts';
import { Supply } from './supply.ts';
import { WorkerProcess } from './worker-process.ts';

/** Capture sets kept ready: without a PTY (captures on the FIFO, expansions) and with one. */
const READY_PLAIN = 24;
const READY_PTY = 24;
/** A file in the spool that no capture claims stays this long for a person to look at. */
const STRAY_MS = 24 * 60 * 60 * 1000;

/** Wires rendezvous, captures, worker. Everything that runs belongs to one instance. */
export class Daemon {
  private readonly paths: Paths;
  private readonly log: Log;
  private readonly settings: Settings;
  private readonly pty: PtyPackage;
  private readonly ttySensitive: TtySensitive;
  private readonly worker: WorkerProcess;
  private readonly jobs: ProjectionJobs;
  private readonly expansions: Expansions;
  private readonly captures = new Map<Slot, RunningCapture>();
  private readonly late = new Map<number, { message: DaemonMessage; stored: () => void; again: boolean }>();
  private nextLate = 1;
  private rendezvous: Rendezvous;
  private plain: Supply<CaptureSet>;
  private withPty: Supply<CaptureSet>;
  private readonly stalls = new StallWatch();
  private laying = false;
  private readonly startedAtMs = Date.now();
  private served = 0;
  private stopped = false;
  private onIdle: () => void = () => {};
  /** A client asked for the end, or another daemon has taken over. */
  onStopAsked: () => void = () => {};
  private readonly lock: DaemonLock;

  constructor(paths: Paths, settings: Settings, pty: PtyPackage, lock: DaemonLock, log: Log) {
    this.paths = paths;
    this.lock = lock;
    this.settings = settings;
    this.pty = pty;
    this.log = log;
    this.ttySensitive = parseTtySensitive(
      readFileSync(join(productRoot(), 'src', 'pty', 'tty-sensitive.txt'), 'utf8'),
    );
    // Before any PTY: what is open then is inherited.
    this.worker = new WorkerProcess(
      {
        message: (message) => this.fromWorker(message),
        died: (how) => this.workerDied(how),
        ready: () => this.log.info('worker ready'),
      },
      () => this.jobs.size > 0 || this.expansions.size > 0,
    );
    this.jobs = new ProjectionJobs(
      () => this.worker,
      (what) => this.log.warn(what),
    );
    this.expansions = new Expansions(() => this.worker);
    this.rendezvous = this.newRendezvous();
    this.plain = this.newSupply(READY_PLAIN, null);
    this.withPty = this.newSupply(READY_PTY, this.pty);
  }

  async open(): Promise<void> {
    privateDirectory(this.paths.run);
    privateDirectory(this.paths.spool);
    await this.lay();
    this.adoptOrphans();
  }

  private async lay(): Promise<void> {
    // The rendezvous first: it clears what a dead daemon left in the directory.
    await this.rendezvous.open();
    await Promise.all([this.plain.fill(), this.withPty.fill()]);
  }

  /** Takes no new command, lets the running ones end, then ends the worker. */
  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    this.stalls.stop();
    this.rendezvous.close();
    this.plain.close();
    this.withPty.close();
    if (!this.isIdle())
      await new Promise<void>((resolve) => {
        this.onIdle = resolve;
      });
    await this.worker.stop(5000);
  }

  status(): DaemonStatus {
    return {
      pid: process.pid,
      version: VERSION,
      startedAtMs: this.startedAtMs,
      runningCaptures: this.captures.size,
      freeTickets: this.rendezvous.freeSlots,
      ptyPackage: this.pty.name,
      workerRestarts: this.worker.restarts,
      servedCaptures: this.served,
    };
  }

  private newRendezvous(): Rendezvous {
    return new Rendezvous(this.paths.run, this.settings.daemon.slots, {
      request: (slot, request) => void this.serve(slot, request),
      said: (slot, bytes) => {
        this.captures.get(slot)?.said(bytes);
        this.expansions.said(slot);
      },
      left: (slot) => {
        this.captures.get(slot)?.left();
        this.expansions.left(slot);
      },
      directoryLost: () => void this.layAgain(),
      trouble: (what, error) => this.log.warn({ err: error }, what),
    });
  }

  private newSupply(want: number, pty: PtyPackage | null): Supply<CaptureSet> {
    return new Supply(
      want,
      (count) => layCaptureSets(this.paths.run, count, pty),
      (set) => set.discard(),
      (error) => this.log.warn({ err: error }, 'cannot lay capture FIFOs'),
    );
  }

  private async serve(slot: Slot, request: RendezvousRequest): Promise<void> {
    if (request.verb === 'expand') {
      this.markLiteral(request.captureId);
      const set = await this.plain.take();
      if (!set) return slot.answer(refusalLine(request.nonce));
      if (slot.state === 'over') return set.discard();
      return this.expansions.start(slot, request.nonce, request.args, request.tty, set);
    }
    const set = await this.setFor(request.run);
    if (!set) return slot.answer(refusalLine(request.nonce));
    // The hook went away meanwhile, and nobody will hear of it again.
    if (slot.state === 'over') return set.discard();
    try {
      const id = randomBytes(8).toString('hex');
      this.captures.set(
        slot,
        new RunningCapture(id, slot, request.nonce, request.run, set, this.captureEnvironment(slot)),
      );
      this.served++;
    } catch (error) {
      this.log.warn({ err: error }, 'cannot begin a capture: the command runs untouched');
      slot.answer(refusalLine(request.nonce));
      set.discard();
    }
  }

  /** A PTY unless the command names a program that minds, or none is ready and none can be made. */
  private async setFor(run: RunRequest): Promise<CaptureSet | null> {
    const wantsPty =
      run.mode === '' ? !isTtySensitive(this.ttySensitive, run.command + run.argument) : run.mode === 'pty';
    if (!wantsPty) return this.plain.take();
    return this.withPty.tryTake() ?? (run.mode === 'pty' ? this.withPty.take() : this.plain.take());
  }

  private captureEnvironment(slot: Slot): CaptureEnvironment {
    return {
      spoolDirectory: this.paths.spool,
      jobs: this.jobs,
      stalled: () => this.stalls.recent(),
      lateSpooled: (captureId, stream, stored) => this.sendLate(captureId, stream, stored),
      over: () => {
        this.captures.delete(slot);
        this.checkIdle();
      },
      trouble: (what) => this.log.warn(what),
    };
  }

  private sendLate(captureId: string, stream: SpooledStream, stored: () => void): void {
    const job = -this.nextLate++;
    const message = { type: 'late', job, captureId, stream } as const;
    this.late.set(job, { message, stored, again: true });
    this.worker.send(message);
  }

  private markLiteral(captureId: string): void {
    for (const capture of this.captures.values()) if (capture.id === captureId) capture.literal = true;
  }

  private fromWorker(message: WorkerMessage): void {
    switch (message.type) {
      case 'askStatus':
        return this.worker.send({ type: 'daemonStatus', job: message.job, status: this.status() });
      case 'askStop':
        return this.onStopAsked();
      case 'replyOpened':
        return this.expansions.opened(message.job);
      case 'expanded':
        this.expansions.over(message.job);
        return this.checkIdle();
      case 'stored':
      case 'failed':
        if (message.job < 0) {
          this.late.get(message.job)?.stored();
          this.late.delete(message.job);
        } else this.jobs.receive(message);
        return this.checkIdle();
      default:
        return this.jobs.receive(message);
    }
  }

  private workerDied(how: string): void {
    this.log.error({ how }, 'the worker died; a new one starts');
    for (const [job, late] of this.late) {
      if (late.again) this.worker.send(late.message);
      else {
        late.stored();
        this.late.delete(job);
      }
      late.again = false;
    }
    this.expansions.workerDied();
    this.jobs.workerDied();
  }

  /** Captures whose daemon died before the archive had them. */
  private adoptOrphans(): void {
    removeQuietly(this.paths.spool, strays(this.paths.spool, STRAY_MS));
    for (const { facts, streams } of orphans(this.paths.spool)) {
      this.log.info({ id: facts.id }, 'archiving a capture that a dead daemon left');
      const view = { format: 'text', onPath: true, announce: false, deliver: false, shownWhole: '' } as const;
      void this.jobs.project(facts, streams, view, (outcome) => {
        if (outcome === 'archived') removeOrphan(this.paths.spool, facts.id, streams);
      });
    }
  }

  /** Somebody emptied the directory: running captures keep their descriptors, everything else is laid again. */
  private async layAgain(): Promise<void> {
    if (this.stopped || this.laying) return;
    this.laying = true;
    try {
      privateDirectory(this.paths.run);
      if (!this.lock.keep()) {
        this.log.warn('another daemon has taken over');
        return this.onStopAsked();
      }
      this.log.warn('the rendezvous directory was emptied: laying it again');
      this.rendezvous.close();
      this.plain.close();
      this.withPty.close();
      this.rendezvous = this.newRendezvous();
      this.plain = this.newSupply(READY_PLAIN, null);
      this.withPty = this.newSupply(READY_PTY, this.pty);
      await this.lay();
    } catch (error) {
      // The rendezvous looks after itself: it finds that it is not laid, and asks again.
      this.log.error({ err: error }, 'cannot lay the rendezvous again');
    } finally {
      this.laying = false;
    }
  }

  private isIdle(): boolean {
    return (
      this.captures.size === 0 && this.jobs.size === 0 && this.expansions.size === 0 && this.late.size === 0
    );
  }

  private checkIdle(): void {
    if (this.stopped && this.isIdle()) this.onIdle();
  }
}

function removeOrphan(spool: string, id: string, streams: SpooledStream[]): void {
  removeQuietly(
    spool,
    streams.map((stream) => basename(stream.path)),
  );
  removeJournal(spool, id);
}
