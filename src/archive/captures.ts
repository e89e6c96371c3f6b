import type { CaptureFacts, StreamName } from '../protocol/capture.ts';
import { EMPTY_SHA256, releaseBlob, sha256, storeBlob, useBlob } from './blobs.ts';
import type { Changes } from './changes.ts';
import type { Databases, TimeKey } from './databases.ts';
import { digestOfStreams, EMPTY_STREAM, handleFor } from './handles.ts';
import { place } from './order.ts';
import {
  type BlobRecord,
  type CaptureRecord,
  type HandleRecord,
  type HandleState,
  NO_VIEW,
} from './records.ts';
import type { StoredCapture, StoredStream } from './types.ts';

/** A stream whose chunks are all stored (and counted as used). */
export interface TakenStream {
  name: StreamName;
  sha256: string;
  blob: Omit<BlobRecord, 'uses'>;
}

/** Above every time and id: the end of an index range. */
const LAST = Number.MAX_SAFE_INTEGER;

/** Binds streams to their handle and lists the capture. A capture that comes twice replaces itself. */
export function addCapture(
  changes: Changes,
  facts: CaptureFacts,
  streams: TakenStream[],
  nowMs: number,
): string {
  const { captures, handles, byTime, bySession, byHandle } = changes.databases;
  // First the new uses, then the old ones back: shared bytes stay where they are.
  for (const stream of streams) {
    if (stream.blob.bytes > 0) storeBlob(changes, stream.sha256, stream.blob);
    if (stream.name === 'late') useBlob(changes, stream.sha256);
  }
  const framed = (name: StreamName) => {
    const stream = streams.find((s) => s.name === name);
    return stream === undefined ? EMPTY_STREAM : { bytes: stream.blob.bytes, sha256: stream.sha256 };
  };
  const [stdout, stderr] = [framed('stdout'), framed('stderr')];
  const digest = digestOfStreams(stdout, stderr);
  const handle = handleFor(changes, digest);
  const known = changes.get(handles, handle);
  if (known?.state !== 'live') for (const { sha256: sha } of [stdout, stderr]) useBlob(changes, sha);
  const record: HandleRecord = {
    digest: digest.toString('hex'),
    state: 'live',
    stdout: stdout.sha256,
    stderr: stderr.sha256,
    captures: (known?.state === 'live' ? known.captures : 0) + 1,
    literals: (known?.state === 'live' ? known.literals : 0) + (facts.flags.literal ? 1 : 0),
    newestAtMs: Math.max(known?.newestAtMs ?? 0, facts.startedAtMs),
    shownAtMs: known?.shownAtMs ?? 0,
    pinned: known?.pinned ?? false,
  };
  place(changes, handle, known, record, nowMs);
  changes.put(handles, handle, record);
  if (changes.get(captures, facts.id) !== undefined) removeCapture(changes, facts.id, 'evicted', nowMs);
  const key: TimeKey = [facts.startedAtMs, facts.id];
  const names = streams.map(({ name, sha256: sha }) => ({ name, sha256: sha }));
  changes.put(captures, facts.id, { handle, facts, streams: names, view: NO_VIEW });
  changes.put(byTime, key, 0);
  changes.put(bySession, [sessionKey(facts.session), ...key], 0);
  changes.put(byHandle, [handle, ...key], 0);
  return handle;
}

/** Removes one capture and, with the last one of its handle, the bytes; the handle stays bound as `state`. */
export function removeCapture(
  changes: Changes,
  id: string,
  state: Exclude<HandleState, 'live'>,
  nowMs: number,
): void {
  const { captures, handles, byTime, bySession, byHandle, texts } = changes.databases;
  const capture = changes.get(captures, id);
  if (capture === undefined) return;
  const key: TimeKey = [capture.facts.startedAtMs, id];
  changes.remove(captures, id);
  changes.remove(byTime, key);
  changes.remove(bySession, [sessionKey(capture.facts.session), ...key]);
  changes.remove(byHandle, [capture.handle, ...key]);
  changes.remove(texts, id);
  for (const { name, sha256: sha } of capture.streams) if (name === 'late') releaseBlob(changes, sha);
  const known = changes.get(handles, capture.handle);
  if (known === undefined || known.state !== 'live') return;
  const record: HandleRecord = {
    ...known,
    captures: known.captures - 1,
    literals: known.literals - (capture.facts.flags.literal ? 1 : 0),
  };
  if (record.captures <= 0) {
    record.state = state;
    record.pinned = false;
    releaseBlob(changes, record.stdout);
    releaseBlob(changes, record.stderr);
  }
  place(changes, capture.handle, known, record, nowMs);
  changes.put(handles, capture.handle, record);
}

/** Ids of a handle's captures, newest first. */
export function captureIds(databases: Databases, handle: string, limit: number = Infinity): string[] {
  const range = {
    start: [handle, LAST],
    end: [handle],
    reverse: true,
    ...(limit < Infinity ? { limit } : {}),
  };
  return [...databases.byHandle.getKeys(range)].map((key) => key[2]);
}

/** Ids of the newest captures, of all or of one session. */
export function newestIds(databases: Databases, limit: number, session?: string): string[] {
  if (session === undefined) {
    return [...databases.byTime.getKeys({ start: [LAST], end: [0], reverse: true, limit })].map(
      (key) => key[1],
    );
  }
  const of = sessionKey(session);
  const range = { start: [of, LAST], end: [of], reverse: true, limit };
  return [...databases.bySession.getKeys(range)].map((key) => key[2]);
}

/** A capture as clients get it, or null when there is none of that id. */
export function storedCapture(databases: Databases, id: string): StoredCapture | null {
  const capture = databases.captures.get(id);
  if (capture === undefined) return null;
  const handle = databases.handles.get(capture.handle);
  return {
    handle: capture.handle,
    facts: capture.facts,
    streams: capture.streams.map(({ name, sha256: sha }) => storedStream(databases, name, sha)),
    view: capture.view,
    pinned: handle?.pinned ?? false,
    shownAtMs: handle?.shownAtMs ?? 0,
  };
}

export function storedStream(databases: Databases, name: StreamName, sha: string): StoredStream {
  if (sha === EMPTY_SHA256) return { name, bytes: 0, sha256: sha, lines: 0, lost: null };
  const blob = databases.blobs.get(sha);
  return { name, sha256: sha, bytes: blob?.bytes ?? 0, lines: blob?.lines ?? 0, lost: blob?.lost ?? null };
}

/** Adds a `late` stream to a capture, or replaces it. False when the capture is gone: nothing is kept then. */
export function addLateStream(changes: Changes, id: string, stream: TakenStream): boolean {
  const { captures } = changes.databases;
  const capture = changes.get(captures, id);
  if (stream.blob.bytes > 0) {
    storeBlob(changes, stream.sha256, stream.blob);
    useBlob(changes, stream.sha256);
  }
  if (capture === undefined) {
    releaseBlob(changes, stream.sha256);
    return false;
  }
  const old = capture.streams.find((s) => s.name === 'late');
  if (old !== undefined) releaseBlob(changes, old.sha256);
  const others = capture.streams.filter((s) => s.name !== 'late');
  const streams: CaptureRecord['streams'] = [...others, { name: 'late', sha256: stream.sha256 }];
  changes.put(captures, id, { ...capture, streams });
  return true;
}

/** Sessions are named by others and may be longer than an LMDB key. */
function sessionKey(session: string): string {
  return sha256(Buffer.from(session)).toString('hex').slice(0, 32);
}
