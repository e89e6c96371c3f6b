import { randomBytes } from 'node:crypto';
import { closeSync, writeSync } from 'node:fs';
import { type FifoReader, readFifo } from './fifo-reader.ts';
import { SpoolFile } from './spool-file.ts';

/** Late output kept per capture; more is read, so that nobody blocks, and dropped. */
const MAX_LATE_BYTES = 1024 * 1024;
/**
 * What may still be under way when the command ends: a full FIFO (64 KiB), and with a PTY its buffer and one
 * `cat` buffer (128 KiB) as well. Once that much was read since, nothing of the command is missing.
 */
const FIFO_IN_FLIGHT = 64 * 1024;
const PTY_IN_FLIGHT = 256 * 1024;
/** A shorter part of a torn mark could stand in the output by chance. */
const MIN_PART = 12;

/**
 * One captured stream: bytes from its FIFO go to the spool until the end mark, which the daemon writes itself once
 * the command has ended. What comes behind the mark is late output of background children.
 */
export class CapturedStream {
  readonly spool: SpoolFile;
  /** Bytes that could not be spooled go here as they come (a full disk): set by the owner. */
  onOverflow: ((bytes: Uint8Array) => void) | null = null;
  late: SpoolFile | null = null;
  private reader: FifoReader | null;
  private readonly latePath: string;
  private writeFd: number;
  private readonly markFd: number;
  private readonly inFlight: number;
  private mark: Buffer | null = null;
  private markWritten = 0;
  /** What was read since the mark was begun, until it is seen. At most `inFlight` and one read. */
  private held: Buffer = Buffer.alloc(0);
  private done = false;
  private retry: NodeJS.Timeout | null = null;
  private onDone: () => void = () => {};
  private onGone: () => void = () => {};

  /** `ptySlaveFd`: the daemon's own slave, when the stream comes through a PTY. */
  constructor(from: { readFd: number; writeFd: number; ptySlaveFd: number | null }, spoolPath: string) {
    try {
      this.spool = new SpoolFile(spoolPath);
    } catch (error) {
      closeSync(from.readFd);
      throw error;
    }
    this.latePath = `${spoolPath}.late`;
    this.writeFd = from.writeFd;
    this.markFd = from.ptySlaveFd ?? from.writeFd;
    this.inFlight = from.ptySlaveFd === null ? FIFO_IN_FLIGHT : PTY_IN_FLIGHT;
    this.reader = readFifo(
      from.readFd,
      (bytes) => this.take(bytes),
      () => this.gone(),
    );
  }

  /**
   * The command has ended: resolves when everything that it printed is in the spool. Without a mark nothing is
   * awaited: somebody else reads the FIFO, and must not find one there.
   */
  finish(marked = true): Promise<void> {
    return new Promise((resolve) => {
      this.onDone = resolve;
      if (!this.done && !marked) this.complete();
      if (this.done) return resolve();
      this.mark = Buffer.from(randomBytes(24).toString('hex'), 'latin1');
      this.writeMark();
    });
  }

  /** Lets go of our ends; resolves when no writer is left, so that late output is complete. */
  release(): Promise<void> {
    return new Promise((resolve) => {
      this.onGone = resolve;
      if (this.writeFd >= 0) closeSync(this.writeFd);
      this.writeFd = -1;
      if (!this.reader) resolve();
    });
  }

  pause(): void {
    this.reader?.pause();
  }

  resume(): void {
    this.reader?.resume();
  }

  /** For a stream that nobody was told of. Its writing end is left to its owner. */
  discard(): void {
    this.reader?.close();
    this.reader = null;
    this.spool.remove();
  }

  private take(bytes: Buffer): void {
    if (this.done) return this.takeLate(bytes);
    if (!this.mark) return this.store(bytes);
    const joined = this.held.length > 0 ? Buffer.concat([this.held, bytes]) : Buffer.from(bytes);
    const at = joined.indexOf(this.mark);
    if (at >= 0) return this.completeAt(joined, at, at + this.mark.length);
    this.held = joined;
    // A background child keeps the buffer full, so that the mark finds no room: what was there at the end is read.
    if (joined.length >= this.inFlight) this.giveUpMark();
  }

  /** A mark that was torn by another writer ends the stream where its first part stands. */
  private giveUpMark(): void {
    const part = this.mark?.subarray(0, this.markWritten);
    const at = part && part.length >= MIN_PART ? this.held.indexOf(part) : -1;
    if (at >= 0) this.completeAt(this.held, at, at + part!.length);
    else this.completeAt(this.held, this.held.length, this.held.length);
  }

  private completeAt(bytes: Buffer, end: number, lateFrom: number): void {
    this.store(bytes.subarray(0, end));
    this.complete();
    if (lateFrom < bytes.length) this.takeLate(bytes.subarray(lateFrom));
  }

  private store(bytes: Uint8Array): void {
    const written = this.spool.append(bytes);
    if (written < bytes.length) this.onOverflow?.(bytes.subarray(written));
  }

  private takeLate(bytes: Uint8Array): void {
    try {
      this.late ??= new SpoolFile(this.latePath);
      const room = MAX_LATE_BYTES - this.late.bytes;
      if (room > 0) this.late.append(bytes.subarray(0, room));
    } catch {
      // No room for late output: it is read and dropped.
    }
  }

  /** Non-blocking; tried again while the buffer is full. A PTY may take only a part. */
  private writeMark(): void {
    if (this.done || !this.mark) return;
    try {
      this.markWritten += writeSync(this.markFd, this.mark, this.markWritten);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return this.giveUpMark();
    }
    if (this.markWritten < this.mark.length) this.retry = setTimeout(() => this.writeMark(), 1);
  }

  private complete(): void {
    if (this.done) return;
    this.done = true;
    this.held = Buffer.alloc(0);
    if (this.retry) clearTimeout(this.retry);
    this.onDone();
  }

  private gone(): void {
    this.reader = null;
    if (!this.done) this.giveUpMark();
    this.late?.close();
    this.onGone();
  }
}
