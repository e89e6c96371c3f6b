import { STREAM_NAMES, type StreamName } from '../protocol/capture.ts';
import { CavemanError } from '../protocol/errors.ts';
import { releaseChunk, useChunk } from './blobs.ts';
import type { TakenStream } from './captures.ts';
import type { Changes } from './changes.ts';
import type { Environment } from './environment.ts';
import { makeRoom, SMALL_CAPTURE_BYTES } from './eviction.ts';
import { CHUNK_BYTES } from './records.ts';
import { type Chunk, StreamIntake } from './stream-intake.ts';
import type { ArchiveLimits } from './types.ts';

/** Bytes gathered before a commit. At most two such batches are in memory: one filling, one being stored. */
const BATCH_BYTES = 2 * 1024 * 1024;

/** Part of the quota for one capture's first, and as much for its last bytes: together a quarter (design, §5). */
const PART_OF_QUOTA = 1 / 8;

interface Held extends Chunk {
  /** Key in `pending` once stored, −1 before. */
  number: number;
}

/**
 * Takes the streams of one capture in, in bounded memory. Chunks are stored as they come and held by `pending`
 * records until `finish` binds them, so a crash in between leaves nothing that cannot be taken back. Where a
 * capture is larger than its share, the first part stays, and of the rest the last: chunks that fall out of it
 * are removed again.
 */
export class Intake {
  private readonly environment: Environment;
  private readonly limits: ArchiveLimits;
  private readonly now: () => number;
  /** Name of this writer in `pending`. */
  private readonly writer: string;
  private readonly streams = new Map<StreamName, StreamIntake>();
  private readonly partBytes: number;
  private headBytes = 0;
  private bytes = 0;
  /** Chunks that are not stored yet. */
  private batch: Held[] = [];
  private batchBytes = 0;
  /** Kept tail chunks, oldest first, per stream. */
  private readonly tails = new Map<StreamIntake, Held[]>();
  private fallen: Held[] = [];
  private stored = 0;
  private storing: Promise<void> = Promise.resolve();
  private ended = false;

  constructor(environment: Environment, limits: ArchiveLimits, now: () => number, writer: string) {
    this.environment = environment;
    this.limits = limits;
    this.now = now;
    this.writer = writer;
    this.partBytes = Math.max(1, Math.floor((limits.maxBytes * PART_OF_QUOTA) / CHUNK_BYTES)) * CHUNK_BYTES;
  }

  /** Copies what it needs: the caller may use `bytes` again at once. Rejects when an earlier batch could not be stored. */
  async write(name: StreamName, bytes: Uint8Array): Promise<void> {
    this.mustBeOpen();
    const stream = this.stream(name);
    let rest = bytes;
    while (rest.length > 0) {
      rest = rest.subarray(stream.gather(rest));
      if (stream.full) this.keep(stream, stream.cut(false)!);
      if (this.batchBytes >= BATCH_BYTES) await this.storeBatch();
    }
    this.bytes += bytes.length;
  }

  /** Stores the rest and, in the same commit, lets `bind` do what it wants with the streams. */
  async finish<T>(bind: (changes: Changes, streams: TakenStream[]) => T): Promise<T> {
    this.mustBeOpen();
    this.ended = true;
    try {
      await this.storing;
      for (const stream of this.streams.values()) {
        const chunk = stream.cut(true);
        if (chunk !== null) this.keep(stream, chunk);
      }
      const ordered = STREAM_NAMES.map((name) => this.streams.get(name)).filter((s) => s !== undefined);
      const streams = ordered.map((stream) => stream.taken());
      const small = this.bytes < SMALL_CAPTURE_BYTES;
      await makeRoom(this.environment, this.limits, this.batchBytes, small, this.now());
      return await this.environment.change((changes) => {
        // The last batch needs no pending records: the same commit binds it.
        this.apply(changes, this.batch, this.fallen, null);
        for (let n = 0; n < this.stored; n++) changes.remove(changes.databases.pending, [this.writer, n]);
        return bind(changes, streams);
      }, this.batchBytes);
    } catch (error) {
      await this.takeBack();
      throw error;
    }
  }

  /** Forgets everything that was written. */
  async abort(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await this.storing.catch(() => {});
    await this.takeBack();
  }

  /** Makes a stream exist even if nothing is ever written to it. */
  begin(name: StreamName): void {
    this.stream(name);
  }

  private mustBeOpen(): void {
    if (this.ended) throw new CavemanError('internal', 'this capture has ended; begin another');
  }

  private stream(name: StreamName): StreamIntake {
    let stream = this.streams.get(name);
    if (stream === undefined) {
      stream = new StreamIntake(name);
      this.streams.set(name, stream);
    }
    return stream;
  }

  private keep(stream: StreamIntake, chunk: Chunk): void {
    const held: Held = { ...chunk, number: -1 };
    const part = { digest: chunk.digest, bytes: chunk.bytes.length };
    this.batch.push(held);
    this.batchBytes += part.bytes;
    if (stream.tail.bytes === 0 && this.headBytes + part.bytes <= this.partBytes) {
      stream.head.chunks.push(part);
      stream.head.bytes += part.bytes;
      this.headBytes += part.bytes;
      return;
    }
    stream.tail.chunks.push(part);
    stream.tail.bytes += part.bytes;
    const tail = this.tails.get(stream) ?? [];
    this.tails.set(stream, tail);
    tail.push(held);
    while (this.tailBytes() > this.partBytes) this.dropOldest();
  }

  private tailBytes(): number {
    let bytes = 0;
    for (const stream of this.streams.values()) bytes += stream.tail.bytes;
    return bytes;
  }

  /** Drops the oldest chunk of the stream with the longest tail. */
  private dropOldest(): void {
    const [stream] = [...this.tails.keys()].sort((a, b) => b.tail.bytes - a.tail.bytes);
    const held = this.tails.get(stream!)!.shift()!;
    const part = stream!.tail.chunks.shift()!;
    stream!.tail.bytes -= part.bytes;
    if (held.number >= 0) {
      this.fallen.push(held);
      return;
    }
    this.batch.splice(this.batch.indexOf(held), 1);
    this.batchBytes -= part.bytes;
  }

  /** Begins to store the batch, after the one before it is stored. */
  private async storeBatch(): Promise<void> {
    await this.storing;
    const [batch, fallen, first] = [this.batch, this.fallen, this.stored];
    const bytes = this.batchBytes;
    this.batch = [];
    this.fallen = [];
    this.batchBytes = 0;
    this.stored += batch.length;
    batch.forEach((held, i) => {
      held.number = first + i;
    });
    this.storing = makeRoom(this.environment, this.limits, bytes, false, this.now())
      .then(() => this.environment.change((changes) => this.apply(changes, batch, fallen, first), bytes))
      .then(() => {
        // Only the digests of stored chunks stay in memory.
        for (const held of batch) held.bytes = EMPTY;
      });
    // Whoever awaits it next gets the error; when the capture is dropped, nobody does.
    this.storing.catch(() => {});
  }

  /** `first`: number of the batch's first pending record, from which a dead writer's chunks are found; null: none. */
  private apply(changes: Changes, batch: Held[], fallen: Held[], first: number | null): void {
    const { pending } = changes.databases;
    batch.forEach((held, i) => {
      useChunk(changes, held.digest, held.bytes);
      if (first !== null) changes.put(pending, [this.writer, first + i], held.digest.toString('hex'));
    });
    for (const held of fallen) {
      releaseChunk(changes, held.digest);
      changes.remove(pending, [this.writer, held.number]);
    }
  }

  /** Takes back what is stored, as the pending records tell. */
  private async takeBack(): Promise<void> {
    if (this.stored === 0) return;
    await this.environment
      .change((changes) => {
        const { pending } = changes.databases;
        for (let n = 0; n < this.stored; n++) {
          const digest = changes.get(pending, [this.writer, n]);
          if (digest === undefined) continue;
          changes.remove(pending, [this.writer, n]);
          releaseChunk(changes, Buffer.from(digest, 'hex'));
        }
      })
      // What cannot be taken back now is taken back when the archive is opened next.
      .catch(() => {});
  }
}

const EMPTY = Buffer.alloc(0);
