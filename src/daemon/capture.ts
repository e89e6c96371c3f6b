import { closeSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { join } from 'node:path';
import type { CaptureFacts } from '../protocol/capture.ts';
import type { SpooledStream, StreamView } from '../protocol/jobs.ts';
import { answerLine, type RunRequest } from '../protocol/rendezvous.ts';
import { markOf } from '../runtime/process-mark.ts';
import type { CaptureSet } from './capture-set.ts';
import { Delivery } from './delivery.ts';
import { type Report, ReportReader } from './hook-report.ts';
import type { Outcome, Projected, ProjectionJobs } from './jobs.ts';
import { removeJournal, writeJournal } from './journal.ts';
import { isShortPlain } from './plain.ts';
import type { Reply } from './reply.ts';
import type { Slot } from './slot.ts';
import { CapturedStream } from './stream.ts';

/** The pump is told this often that the projection is under way. */
const WAIT_HEADER_MS = 1000;

const PLAIN: Projected = { stdout: { kind: 'literal', trailer: '' }, stderr: null, note: '' };

export interface CaptureEnvironment {
  spoolDirectory: string;
  jobs: ProjectionJobs;
  /** Whether the daemon may have been slow enough for a pump to give it up. */
  stalled(): boolean;
  lateSpooled(captureId: string, stream: SpooledStream, stored: () => void): void;
  /** Nothing of this capture is under way any more. */
  over(capture: RunningCapture): void;
  trouble(what: string): void;
}

/** One command from its request to its projection, and the late output behind it. */
export class RunningCapture {
  readonly id: string;
  /** The command itself asked for a recovery verb: its output is not to be shortened. */
  literal = false;
  private readonly slot: Slot;
  private readonly set: CaptureSet;
  private readonly run: RunRequest;
  private readonly env: CaptureEnvironment;
  private readonly out: CapturedStream;
  private readonly err: CapturedStream | null;
  private readonly report = new ReportReader();
  private readonly startedAtMs = Date.now();
  private ending = false;
  private hookLeft = false;
  private opened: Delivery | null = null;
  /** How its way to the archive ended: null when there was none. */
  private outcome: Promise<Outcome> | null = null;
  /** Streams whose bytes no longer fit the spool, and where they go instead. */
  private readonly overflowed = new Map<CapturedStream, Reply>();

  /** Opens the spool and the streams, then answers the hook. Throws when the spool cannot be opened. */
  constructor(
    id: string,
    slot: Slot,
    nonce: string,
    run: RunRequest,
    set: CaptureSet,
    env: CaptureEnvironment,
  ) {
    this.id = id;
    this.slot = slot;
    this.run = run;
    this.set = set;
    this.env = env;
    const spool = join(env.spoolDirectory, id);
    const slave = set.pty?.slaveFd ?? null;
    this.out = new CapturedStream(
      { readFd: set.openOutReader(), writeFd: set.fds.out, ptySlaveFd: slave },
      `${spool}.o`,
    );
    this.err = run.merged ? null : this.openErr(`${spool}.e`);
    for (const stream of this.err ? [this.out, this.err] : [this.out]) {
      stream.onOverflow = (bytes) => this.overflow(stream, bytes);
    }
    const proc = slave === null ? '-' : `/proc/${process.pid}/fd/${slave}`;
    slot.answer(answerLine(nonce, { id, base: set.base, pts: set.pty?.path ?? '-', proc, spool }));
    // Now, not when there is something to send: by then a new daemon may have removed the names.
    set.openWriteEnds();
    setImmediate(() => this.journal(null));
  }

  /** Throws when its spool cannot be opened: nothing of this capture is left open then. */
  private openErr(spool: string): CapturedStream {
    try {
      const { set } = this;
      return new CapturedStream(
        { readFd: set.openErrReader(), writeFd: set.fds.err, ptySlaveFd: null },
        spool,
      );
    } catch (error) {
      this.out.discard();
      throw error;
    }
  }

  /** Bytes from the hook behind its request. */
  said(bytes: Buffer): void {
    const report = this.report.push(bytes);
    if (report) void this.end(report);
  }

  /** The hook let go of its FIFO: after its report that is the end, before it the hook was killed. */
  left(): void {
    this.hookLeft = true;
    if (!this.ending) void this.end(null);
  }

  private async end(report: Report | null): Promise<void> {
    if (this.ending) return;
    this.ending = true;
    const facts = this.facts(report);
    const delivery = this.delivery();
    if (!report) delivery.killCommand();
    const waiting = setInterval(() => delivery.stillWorking(), WAIT_HEADER_MS);
    try {
      const marked = !this.env.stalled() || (await delivery.pumpListens());
      await Promise.all([this.out.finish(marked), this.err?.finish(marked)]);
      facts.flags.literal = this.literal;
      await this.deliver(facts, report, delivery);
    } catch (error) {
      this.env.trouble(`capture ${this.id}: ${(error as Error).message}`);
      delivery.drop();
    } finally {
      clearInterval(waiting);
    }
    await this.afterwards();
  }

  /** Opened as late as possible: the pump holds its ends by then. */
  private delivery(): Delivery {
    this.opened ??= new Delivery(this.set.openReply('reply'), () => this.set.openReply('replyErr'));
    return this.opened;
  }

  private async deliver(facts: CaptureFacts, report: Report | null, delivery: Delivery): Promise<void> {
    if (this.overflowed.size > 0) return this.deliverOverflowed(delivery);
    // A hook that gave up before its command began, or was killed before it printed: there is nothing to keep.
    if (report === null && this.out.spool.bytes + (this.err?.spool.bytes ?? 0) === 0) {
      await delivery.end();
      return this.removeSpool();
    }
    const whole = report === null ? '' : this.whyWhole(facts);
    const projecting = this.project(facts, report !== null && whole === '', whole);
    const { stdout, stderr, note } = whole || report === null ? PLAIN : await projecting;
    const literal: StreamView = { kind: 'literal', trailer: '' };
    if (this.err) await delivery.sendErr(stderr ?? literal, this.err.spool);
    await delivery.sendOut(stdout, this.out.spool, report?.bySignal ?? false, note);
    this.spoolRead();
  }

  /** Why the original is shown as it is, when that needs no engine: nobody must wait for the archive then. */
  private whyWhole(facts: CaptureFacts): string {
    if (this.run.json || this.run.announce || (facts.exit ?? 0) > 128) return '';
    if (facts.flags.raw) return 'raw';
    if (facts.flags.literal) return 'recovery verb';
    const short = isShortPlain(this.out.spool) && (this.err === null || isShortPlain(this.err.spool));
    return short ? 'short' : '';
  }

  /** The spool goes when the archive has it and the pump has what it needs of it. */
  private spoolRead: () => void = () => {};

  private project(facts: CaptureFacts, deliver: boolean, shownWhole: string): Promise<Projected> {
    const read = new Promise<void>((resolve) => {
      this.spoolRead = resolve;
    });
    // Only what may have to be archived after a crash of ours is worth a second journal entry.
    if (deliver) this.journal(facts);
    const { json, onPath, announce } = this.run;
    const view = { format: json ? 'json' : 'text', onPath, announce, deliver, shownWhole } as const;
    return new Promise((shown) => {
      this.outcome = new Promise((over) => {
        void this.env.jobs.project(facts, this.spooled(), view, over).then(shown);
      });
      void Promise.all([this.outcome, read]).then(([outcome]) => {
        if (outcome !== 'kept') this.removeSpool();
        else this.closeSpool();
      });
    });
  }

  /** The disk is full: what is spooled goes out as it is, and everything after it as it comes. */
  private overflow(stream: CapturedStream, bytes: Uint8Array): void {
    const before = this.overflowed.get(stream);
    if (before) {
      if (!before.write(bytes)) void this.holdBack(stream, before);
      return;
    }
    this.env.trouble(`no room in the spool (${stream.spool.failure?.message}): output goes through as it is`);
    const reply = stream === this.out ? this.delivery().rawOut() : this.delivery().rawErr();
    this.overflowed.set(stream, reply);
    const first = Buffer.from(bytes);
    stream.pause();
    void reply.copyFile(stream.spool.path, stream.spool.bytes).then(() => {
      reply.write(first);
      return this.holdBack(stream, reply);
    });
  }

  private async holdBack(stream: CapturedStream, reply: Reply): Promise<void> {
    stream.pause();
    await reply.drained();
    stream.resume();
  }

  /** Nothing of such a capture is archived: the pump gets what is left, as it is. */
  private async deliverOverflowed(delivery: Delivery): Promise<void> {
    const literal: StreamView = { kind: 'literal', trailer: '' };
    if (this.err && !this.overflowed.has(this.err)) await delivery.sendErr(literal, this.err.spool);
    if (!this.overflowed.has(this.out)) await delivery.sendOut(literal, this.out.spool, false, '');
    await delivery.end();
    this.removeSpool();
  }

  /** Our ends are let go; background children may print until they end, and nobody waits for them. */
  private async afterwards(): Promise<void> {
    this.set.removeNames();
    if (this.set.pty) closeSync(this.set.pty.slaveFd);
    this.set.letGo('reply');
    this.set.letGo('replyErr');
    if (!this.err) this.set.letGo('err');
    await Promise.all([this.out.release(), this.err?.release()]);
    if (this.hookLeft) this.slot.close();
    await this.sendLate();
    this.err?.late?.remove();
    this.env.over(this);
  }

  /** Only a capture that the archive holds can be given late output. */
  private async sendLate(): Promise<void> {
    const late = this.out.late;
    if (!late) return;
    if (late.bytes === 0 || (await this.outcome) !== 'archived') return late.remove();
    this.env.lateSpooled(this.id, { name: 'late', path: late.path, bytes: late.bytes }, () => late.remove());
  }

  private spooled(): SpooledStream[] {
    const streams: SpooledStream[] = [
      { name: 'stdout', path: this.out.spool.path, bytes: this.out.spool.bytes },
    ];
    if (this.err) streams.push({ name: 'stderr', path: this.err.spool.path, bytes: this.err.spool.bytes });
    return streams;
  }

  private closeSpool(): void {
    this.out.spool.close();
    this.err?.spool.close();
  }

  private removeSpool(): void {
    this.out.spool.remove();
    this.err?.spool.remove();
    removeJournal(this.env.spoolDirectory, this.id);
  }

  private journal(facts: CaptureFacts | null): void {
    if (!facts && this.ending) return;
    try {
      writeJournal(this.env.spoolDirectory, markOf(process.pid), facts ?? this.facts(null));
    } catch (error) {
      this.env.trouble(`no journal for capture ${this.id}: ${(error as Error).message}`);
    }
  }

  private facts(report: Report | null): CaptureFacts {
    const { run } = this;
    const exit = report?.status ?? null;
    return {
      id: this.id,
      command: run.command,
      commandBytes:
        run.commandLength > run.command.length ? run.commandLength : Buffer.byteLength(run.command),
      argument: run.argument,
      cwd: run.cwd,
      agent: run.agent,
      session: run.session,
      startedAtMs: this.startedAtMs,
      durationMs: Date.now() - this.startedAtMs,
      exit,
      signal: report?.bySignal ? signalOf(report.status - 128) : null,
      mode: this.set.pty ? 'pty' : 'pipe',
      flags: { killed: this.ending && report === null, raw: run.raw, literal: this.literal },
    };
  }
}

function signalOf(number: number): string | null {
  for (const [name, value] of Object.entries(osConstants.signals)) if (value === number) return name;
  return null;
}
