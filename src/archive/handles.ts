import type { Key } from 'lmdb';
import { CavemanError } from '../protocol/errors.ts';
import { HANDLE_ALPHABET, handleOf, isHandle, normaliseHandle } from '../protocol/handle.ts';
import { EMPTY_SHA256, sha256 } from './blobs.ts';
import type { Changes } from './changes.ts';
import type { Databases } from './databases.ts';
import type { HandleRecord } from './records.ts';

/** Most handles that an error suggests. */
const MAX_SUGGESTIONS = 8;

/** One stream as the handle's digest sees it. */
export interface FramedStream {
  bytes: number;
  /** SHA-256 of all its bytes, hex. */
  sha256: string;
}

/** A stream that printed nothing, or does not exist: the two are the same bytes. */
export const EMPTY_STREAM: FramedStream = { bytes: 0, sha256: EMPTY_SHA256 };

/**
 * The digest a handle is made of: SHA-256 over one line per stream, `NAME LENGTH SHA256\n`, stdout first and
 * then stderr, both always there. `late` output is no part of it: it comes after the handle was issued.
 */
export function digestOfStreams(stdout: FramedStream, stderr: FramedStream): Buffer {
  const frame = (name: string, s: FramedStream) => `${name} ${s.bytes} ${s.sha256}\n`;
  return sha256(Buffer.from(frame('stdout', stdout) + frame('stderr', stderr)));
}

/** The handle that is or will be bound to a digest: the shortest that no other digest has. */
export function handleFor(changes: Changes, digest: Buffer): string {
  const hex = digest.toString('hex');
  const { handles } = changes.databases;
  for (let length = 8; length <= 51; length++) {
    const handle = handleOf(digest, length);
    const known = changes.get(handles, handle);
    if (known === undefined || known.digest === hex) return handle;
  }
  throw new CavemanError('internal', 'no handle is free for this output; report this');
}

/** The record of a live handle; throws unknown-handle or forgotten-handle. `changes`: as they would leave it. */
export function liveHandle(databases: Databases, handle: string, changes?: Changes): HandleRecord {
  const { handles } = databases;
  const record = changes === undefined ? handles.get(handle) : changes.get(handles, handle);
  if (record === undefined) throw unknown(databases, handle);
  if (record.state !== 'live') throw gone(handle, record);
  return record;
}

/** Full handle for what a person typed: a full handle or, if `prefix` is set, the beginning of just one. */
export function resolveHandle(databases: Databases, typed: string, prefix: boolean): string {
  const handle = normaliseHandle(typed);
  if (isHandle(handle) && databases.handles.doesExist(handle)) {
    liveHandle(databases, handle);
    return handle;
  }
  if (!prefix || !/^cv[0-9a-z]+$/.test(handle)) throw unknown(databases, handle);
  let dead: [string, HandleRecord] | null = null;
  const live: string[] = [];
  for (const { key, value } of databases.handles.getRange({ start: handle, end: `${handle}~` })) {
    if (value.state === 'live') live.push(key);
    else dead ??= [key, value];
    if (live.length === MAX_SUGGESTIONS) break;
  }
  if (live.length === 1) return live[0]!;
  if (live.length > 1) {
    throw new CavemanError('ambiguous-handle', `${handle} fits several handles; type more of it`, live);
  }
  if (dead !== null) throw gone(dead[0], dead[1]);
  throw unknown(databases, handle);
}

function gone(handle: string, record: HandleRecord): CavemanError {
  const how = record.state === 'forgotten' ? 'was forgotten' : 'was evicted to make room or for its age';
  return new CavemanError('forgotten-handle', `the output of ${handle} ${how}; run the command again`);
}

function unknown(databases: Databases, handle: string): CavemanError {
  const near = nearMisses(databases, handle);
  const hint = near.length > 0 ? `did you mean ${near[0]}?` : 'see caveman list';
  return new CavemanError('unknown-handle', `no output is archived as ${handle.slice(0, 64)}; ${hint}`, near);
}

/** Live handles one edit away (a wrong, missing, extra or swapped character), by look-up, without a scan. */
function nearMisses(databases: Databases, handle: string): string[] {
  if (!/^cv[0-9a-z]{4,16}$/.test(handle)) return [];
  const found: string[] = [];
  for (const candidate of oneEditAway(handle)) {
    if (found.length === MAX_SUGGESTIONS) break;
    if (!isHandle(candidate) || found.includes(candidate)) continue;
    if (databases.handles.get(candidate)?.state === 'live') found.push(candidate);
  }
  if (found.length > 0) return found;
  const start: Key = handle.slice(0, 6);
  for (const { key, value } of databases.handles.getRange({
    start,
    end: `${start}~`,
    limit: MAX_SUGGESTIONS,
  })) {
    if (value.state === 'live') found.push(key);
  }
  return found;
}

function* oneEditAway(handle: string): Iterable<string> {
  const letters = [...HANDLE_ALPHABET];
  for (let i = 2; i < handle.length; i++) {
    const [before, after] = [handle.slice(0, i), handle.slice(i + 1)];
    for (const letter of letters) yield before + letter + after;
    if (after !== '') yield before + after[0] + handle[i] + after.slice(1);
    yield before + after;
  }
  for (let i = 2; i <= handle.length; i++) {
    for (const letter of letters) yield handle.slice(0, i) + letter + handle.slice(i);
  }
}
