import { closeSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { join } from 'node:path';
import type { CaptureFacts } from '../protocol/capture.ts';
import type { SpooledStream, StreamView } from '../protocol/jobs.ts';
import { answerLine, HEADER, noteHeader, type RunRequest } from '../protocol/rendezvous.ts';
import { markOf } from '../runtime/process-mark.ts';
import type { CaptureSet } from './capture-set.ts';
import { type Report, ReportReader } from './hook-report.ts';
import type { Projected, ProjectionJobs } from './jobs.ts';
import { removeJournal, writeJournal } from './journal.ts';
import { Reply } from './reply.ts';
import type { Slot } from './slot.ts';
import { CapturedStream } from './stream.ts';

/** The pump is told this often that the projection is under way. */
const WAIT_HEADER_MS = 1000;

export interface CaptureEnvironment {
  spoolDirectory: string;
  jobs: ProjectionJobs;
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
  private overflowing: Reply | null = null;

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
    this.err = run.merged
      ? null
      : new CapturedStream(
          { readFd: set.openErrReader(), writeFd: set.fds.err, ptySlaveFd: null },
          `${spool}.e`,
        );
    this.out.onOverflow = (bytes) => this.overflow(bytes);
    const proc = slave === null ? '-' : `/proc/${process.pid}/fd/${slave}`;
    slot.answer(answerLine(nonce, { id, base: set.base, pts: set.pty?.path ?? '-', proc, spool }));
    setImmediate(() => this.journal(null));
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
    const reply = this.overflowing ?? new Reply(this.set.path('.r'));
    const replyErr = this.err ? new Reply(this.set.path('.s')) : null;
    this.set.removeNames();
    if (!report) reply.header(HEADER.kill);
    const waiting = setInterval(() => {
      for (const each of [reply, replyErr]) if (each !== this.overflowing) each?.header(HEADER.wait);
    }, WAIT_HEADER_MS);
    try {
      await Promise.all([this.out.finish(), this.err?.finish()]);
      facts.flags.literal = this.literal;
      this.journal(facts);
      await this.deliver(facts, report, reply, replyErr);
    } catch (error) {
      this.env.trouble(`capture ${this.id}: ${(error as Error).message}`);
      reply.drop();
      replyErr?.drop();
    } finally {
      clearInterval(waiting);
    }
    await this.afterwards();
  }

  private async deliver(
    facts: CaptureFacts,
    report: Report | null,
    reply: Reply,
    replyErr: Reply | null,
  ): Promise<void> {
    if (this.overflowing) {
      this.removeSpool();
      await Promise.all([
        reply.end(),
        replyErr && this.err ? replyErr.file(this.err.spool.path, this.err.spool.bytes, '') : null,
      ]);
      return;
    }
    const streams = this.spooled();
    const projected = await this.project(facts, streams, report !== null);
    if (report?.bySignal) reply.header(HEADER.signal);
    if (projected.note) reply.header(noteHeader(projected.note));
    await Promise.all([
      this.sendView(reply, this.out, projected.stdout),
      replyErr && this.err
        ? this.sendView(replyErr, this.err, projected.stderr ?? { kind: 'literal', trailer: '' })
        : null,
    ]);
    this.spoolRead();
  }

  /** The spool goes when the archive has it and the pump has what it needs of it. */
  private spoolRead: () => void = () => {};

  private project(facts: CaptureFacts, streams: SpooledStream[], deliver: boolean): Promise<Projected> {
    const read = new Promise<void>((resolve) => {
      this.spoolRead = resolve;
    });
    const { json, onPath, announce } = this.run;
    const view = { format: json ? 'json' : 'text', onPath, announce, deliver } as const;
    return this.env.jobs.project(facts, streams, view, () => void read.then(() => this.removeSpool()));
  }

  private sendView(reply: Reply, stream: CapturedStream, view: StreamView): Promise<void> {
    if (view.kind === 'text') return reply.text(view.text);
    return reply.file(stream.spool.path, stream.spool.bytes, view.trailer);
  }

  /** The disk is full: what is spooled goes out as it is, and everything after it as it comes. */
  private overflow(bytes: Uint8Array): void {
    if (this.overflowing) {
      if (!this.overflowing.write(bytes)) this.holdBack(this.overflowing);
      return;
    }
    this.env.trouble(
      `no room in the spool (${this.out.spool.failure?.message}): output goes through as it is`,
    );
    const reply = new Reply(this.set.path('.r'));
    this.overflowing = reply;
    const first = Buffer.from(bytes);
    this.out.pause();
    reply.header(HEADER.copy);
    void reply.copyFile(this.out.spool.path, 0, this.out.spool.bytes).then(async () => {
      reply.write(first);
      await reply.drained();
      this.out.resume();
    });
  }

  private holdBack(reply: Reply): void {
    this.out.pause();
    void reply.drained().then(() => this.out.resume());
  }

  /** Our ends are let go; background children may print until they end, and nobody waits for them. */
  private async afterwards(): Promise<void> {
    if (this.set.pty) closeSync(this.set.pty.slaveFd);
    closeSync(this.set.fds.reply);
    closeSync(this.set.fds.replyErr);
    if (!this.err) closeSync(this.set.fds.err);
    await Promise.all([this.out.release(), this.err?.release()]);
    if (this.hookLeft) this.slot.close();
    const late = this.out.late;
    if (late && late.bytes > 0 && !this.overflowing) {
      this.env.lateSpooled(this.id, { name: 'late', path: late.path, bytes: late.bytes }, () =>
        late.remove(),
      );
    } else late?.remove();
    this.err?.late?.remove();
    this.env.over(this);
  }

  private spooled(): SpooledStream[] {
    const streams: SpooledStream[] = [
      { name: 'stdout', path: this.out.spool.path, bytes: this.out.spool.bytes },
    ];
    if (this.err) streams.push({ name: 'stderr', path: this.err.spool.path, bytes: this.err.spool.bytes });
    return streams;
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
