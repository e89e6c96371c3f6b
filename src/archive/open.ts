import type { CaptureFacts, StreamName } from '../protocol/capture.ts';
import { CavemanError } from '../protocol/errors.ts';
import { EMPTY_SHA256, readBlob } from './blobs.ts';
import {
  addCapture,
  addLateStream,
  captureIds,
  newestIds,
  removeCapture,
  storedCapture,
  storedStream,
} from './captures.ts';
import { bytesInUse, type Databases, entryCount } from './databases.ts';
import { Environment } from './environment.ts';
import { releasePending, removeOld } from './eviction.ts';
import { faultOf } from './faults.ts';
import { liveHandle, resolveHandle } from './handles.ts';
import { Intake } from './intake.ts';
import { place } from './order.ts';
import type { CaptureRecord, HandleRecord } from './records.ts';
import { REMEMBERED_VIEWS, rememberSent } from './sent.ts';
import type {
  Archive,
  ArchiveLimits,
  ArchiveStatus,
  CaptureWriter,
  StoredCapture,
  StoredView,
} from './types.ts';
import { closeWriters, openWriters, writerLives } from './writers.ts';

/**
 * Opens the archive in `dir` (created with mode 0700), one LMDB file `archive.mdb`. `now` is the clock, ms since
 * 1970. A damaged file is moved aside and `status().trouble` says so. Throws CavemanError: `foreign-path` when
 * the directory is not ours, `archive-unavailable` when the file is a newer caveman's or cannot be opened.
 */
export function openArchive(dir: string, limits: ArchiveLimits, now: () => number): Archive {
  return new LmdbArchive(new Environment(dir, now), limits, now);
}

class LmdbArchive implements Archive {
  private readonly environment: Environment;
  private readonly limits: ArchiveLimits;
  private readonly now: () => number;
  private readonly name = openWriters();
  private readonly recovery: Promise<unknown>;
  private writers = 0;
  private refused = 0;

  constructor(environment: Environment, limits: ArchiveLimits, now: () => number) {
    this.environment = environment;
    this.limits = limits;
    this.now = now;
    // What cannot be taken back now (a full disk, say) is no reason not to open.
    this.recovery = releasePending(environment, writerLives).catch(() => {});
  }

  writer(): CaptureWriter {
    const intake = this.intake();
    intake.begin('stdout');
    let refused = false;
    const counted = async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        if (!refused && error instanceof CavemanError && error.code === 'archive-full') this.refused++;
        refused = true;
        throw error;
      }
    };
    return {
      write: (stream, chunk) => counted(intake.write(stream, chunk)),
      seal: (facts) => counted(this.seal(intake, facts)),
      abort: () => intake.abort(),
    };
  }

  async addLate(captureId: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const intake = this.intake();
    try {
      for await (const chunk of chunks) await intake.write('late', chunk);
    } catch (error) {
      await intake.abort();
      throw faultOf(error, this.environment.path);
    }
    const kept = await intake.finish((changes, streams) => {
      const [late] = streams;
      return late === undefined || addLateStream(changes, captureId, late);
    });
    if (!kept) {
      throw new CavemanError('unknown-handle', `capture ${captureId} is not archived (any more)`);
    }
  }

  async setView(captureId: string, view: StoredView, text: string | null): Promise<void> {
    await this.environment.change((changes) => {
      const { captures, texts } = changes.databases;
      const capture = mustExist(changes.get(captures, captureId), captureId);
      changes.put(captures, captureId, { ...capture, view });
      if (text === null) changes.remove(texts, captureId);
      else changes.put(texts, captureId, text);
      const most = this.limits.rememberedViews ?? REMEMBERED_VIEWS;
      if (view.sha256 !== '') rememberSent(changes, view.sha256, most);
    });
  }

  async setTokens(id: string, tokensBefore: number, tokensAfter: number, estimated: boolean): Promise<void> {
    await this.environment.change((changes) => {
      const { captures } = changes.databases;
      const capture = mustExist(changes.get(captures, id), id);
      const view = { ...capture.view, tokensBefore, tokensAfter, tokensEstimated: estimated };
      changes.put(captures, id, { ...capture, view });
    });
  }

  resolve(handleOrPrefix: string, options: { prefix: boolean }): string {
    return this.environment.read((databases) => resolveHandle(databases, handleOrPrefix, options.prefix));
  }

  captures(handle: string): StoredCapture[] {
    return this.environment.read((databases) => {
      liveHandle(databases, handle);
      return stored(databases, captureIds(databases, handle));
    });
  }

  list(options: { limit: number; session?: string }): StoredCapture[] {
    return this.environment.read((databases) =>
      stored(databases, newestIds(databases, options.limit, options.session)),
    );
  }

  *read(handle: string, stream: StreamName): Iterable<Uint8Array> {
    const sha256 = this.environment.read((databases) => streamOf(databases, handle, stream));
    if (sha256 === EMPTY_SHA256) return;
    try {
      yield* readBlob(() => this.environment.databases, sha256);
    } catch (error) {
      throw faultOf(error, this.environment.path);
    }
  }

  viewText(handle: string): string | null {
    return this.environment.read((databases) => {
      liveHandle(databases, handle);
      const [newest] = captureIds(databases, handle, 1);
      return newest === undefined ? null : (databases.texts.get(newest) ?? null);
    });
  }

  sentBefore(sha256: string): boolean {
    return this.environment.read(({ sent }) => sent.doesExist(sha256));
  }

  markShown(handle: string, nowMs: number): Promise<void> {
    return this.amend(handle, (record) => ({ ...record, shownAtMs: Math.max(record.shownAtMs, nowMs) }));
  }

  pin(handle: string, pinned: boolean): Promise<void> {
    return this.amend(handle, (record) => ({ ...record, pinned }));
  }

  forget(handle: string): Promise<{ captures: number; freedBytes: number }> {
    return this.environment.change((changes) => {
      liveHandle(changes.databases, handle, changes);
      const ids = captureIds(changes.databases, handle);
      for (const id of ids) removeCapture(changes, id, 'forgotten', this.now());
      return { captures: ids.length, freedBytes: changes.freed.bytes };
    });
  }

  async gc(nowMs: number): Promise<{ captures: number; blobs: number; freedBytes: number }> {
    const orphaned = await releasePending(this.environment, writerLives);
    const old = await removeOld(this.environment, this.limits, nowMs);
    return { ...old, freedBytes: old.freedBytes + orphaned };
  }

  status(): ArchiveStatus {
    return this.environment.read((databases) => ({
      path: this.environment.path,
      captures: entryCount(databases.captures),
      handles: entryCount(databases.order) + entryCount(databases.pins),
      bytes: bytesInUse(databases),
      maxBytes: this.limits.maxBytes,
      maxAgeDays: this.limits.maxAgeDays,
      pinned: entryCount(databases.pins),
      refused: this.refused,
      trouble: this.environment.trouble,
    }));
  }

  async close(): Promise<void> {
    await this.recovery;
    await this.environment.close();
    closeWriters(this.name);
  }

  private intake(): Intake {
    return new Intake(this.environment, this.limits, this.now, `${this.name}:${this.writers++}`);
  }

  private async seal(
    intake: Intake,
    facts: CaptureFacts,
  ): Promise<Awaited<ReturnType<CaptureWriter['seal']>>> {
    const sealed = await intake.finish((changes, streams) => ({
      handle: addCapture(changes, facts, streams, this.now()),
      names: streams.map(({ name, sha256 }) => ({ name, sha256 })),
    }));
    const streams = this.environment.read((databases) =>
      sealed.names.map(({ name, sha256 }) => storedStream(databases, name, sha256)),
    );
    return { handle: sealed.handle, streams };
  }

  private amend(handle: string, edit: (record: HandleRecord) => HandleRecord): Promise<void> {
    return this.environment.change((changes) => {
      const before = liveHandle(changes.databases, handle, changes);
      const after = edit(before);
      place(changes, handle, before, after, this.now());
      changes.put(changes.databases.handles, handle, after);
    });
  }
}

function stored(databases: Databases, ids: string[]): StoredCapture[] {
  return ids.map((id) => storedCapture(databases, id)).filter((capture) => capture !== null);
}

function streamOf(databases: Databases, handle: string, stream: StreamName): string {
  const record = liveHandle(databases, handle);
  if (stream !== 'late') return record[stream];
  for (const id of captureIds(databases, handle)) {
    const late = databases.captures.get(id)?.streams.find((s) => s.name === 'late');
    if (late !== undefined) return late.sha256;
  }
  return EMPTY_SHA256;
}

function mustExist(capture: CaptureRecord | undefined, id: string): CaptureRecord {
  if (capture !== undefined) return capture;
  throw new CavemanError('unknown-handle', `capture ${id} is not archived (any more)`);
}
