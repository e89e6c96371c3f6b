import { CavemanError } from '../protocol/errors.ts';
import { releaseChunk } from './blobs.ts';
import { captureIds, removeCapture } from './captures.ts';
import type { Changes } from './changes.ts';
import { bytesInUse, type Databases } from './databases.ts';
import type { Environment } from './environment.ts';
import { place, ZONE } from './order.ts';
import { SHOWN_PROTECTION_MS } from './records.ts';
import type { ArchiveLimits } from './types.ts';

/** The end of the quota that is kept for small captures: 64 MiB of the default 1 GiB, a sixteenth of less. */
const RESERVE_BYTES = 64 * 1024 * 1024;
/** Captures below this many bytes may use the reserve. */
export const SMALL_CAPTURE_BYTES = 1024 * 1024;
/** Most handles or captures that one commit removes: a reader or another writer waits for no more. */
const BATCH = 64;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Makes sure that `bytes` more fit, evicting handles in order. Measured as LMDB counts pages: compressed, with
 * indexes. Throws `archive-full` when nothing more may go.
 */
export async function makeRoom(
  environment: Environment,
  limits: ArchiveLimits,
  bytes: number,
  small: boolean,
  nowMs: number,
): Promise<void> {
  const reserve = Math.min(RESERVE_BYTES, limits.maxBytes / 16);
  const bound = small ? limits.maxBytes : limits.maxBytes - reserve;
  for (;;) {
    const missing = environment.read(bytesInUse) + bytes - bound;
    if (missing <= 0) return;
    const evicted = await environment.change((changes) => evict(changes, missing, nowMs));
    if (evicted === 0) {
      throw new CavemanError(
        'archive-full',
        'the archive is full and nothing in it may go; run caveman forget HANDLE, or raise its limit',
      );
    }
  }
}

/** Evicts handles until about `bytes` (uncompressed) are free or a batch is full; returns how many went. */
function evict(changes: Changes, bytes: number, nowMs: number): number {
  const { databases } = changes;
  readmit(changes, nowMs);
  let evicted = 0;
  let removed = 0;
  const candidates = [
    ...databases.order.getKeys({
      start: [ZONE.shown, 0],
      end: [ZONE.shown, nowMs - SHOWN_PROTECTION_MS],
      limit: BATCH,
    }),
    ...databases.order.getKeys({ start: [ZONE.literal], end: [ZONE.shown], limit: BATCH }),
  ].sort((a, b) => Number(a[0] !== ZONE.literal) - Number(b[0] !== ZONE.literal) || a[1] - b[1]);
  for (const [, , handle] of candidates) {
    if (evicted > 0 && (changes.freed.bytes >= bytes || removed >= BATCH)) break;
    for (const id of captureIds(databases, handle)) {
      removeCapture(changes, id, 'evicted', nowMs);
      removed++;
    }
    evicted++;
  }
  return evicted;
}

/** Puts handles whose protection has run out back among the others. */
function readmit(changes: Changes, nowMs: number): void {
  const { order, handles } = changes.databases;
  const end = [ZONE.shown, nowMs - SHOWN_PROTECTION_MS];
  for (const [, , handle] of order.getKeys({ start: [ZONE.shown, 0], end, limit: BATCH })) {
    const record = changes.get(handles, handle);
    if (record !== undefined) place(changes, handle, record, record, nowMs);
  }
}

/** Removes captures past their age, except those that are pinned or were shown in the last 24 hours. */
export async function removeOld(
  environment: Environment,
  limits: ArchiveLimits,
  nowMs: number,
): Promise<{ captures: number; blobs: number; freedBytes: number }> {
  const total = { captures: 0, blobs: 0, freedBytes: 0 };
  const before = nowMs - limits.maxAgeDays * DAY_MS;
  let from: [number, string] = [0, ''];
  for (;;) {
    const keys = environment.read(({ byTime }) => [
      ...byTime.getKeys({ start: from, end: [before], limit: BATCH }),
    ]);
    if (keys.length === 0) return total;
    const batch = await environment.change((changes) => {
      let captures = 0;
      for (const [, id] of keys)
        if (mayAge(changes, id, nowMs)) captures += Number(removed(changes, id, nowMs));
      return { captures, freed: changes.freed };
    });
    total.captures += batch.captures;
    total.blobs += batch.freed.blobs;
    total.freedBytes += batch.freed.bytes;
    const [ms, id] = keys[keys.length - 1]!;
    from = [ms, `${id}~`];
  }
}

function mayAge(changes: Changes, id: string, nowMs: number): boolean {
  const { captures, handles } = changes.databases;
  const handle = changes.get(handles, changes.get(captures, id)?.handle ?? '-');
  return handle === undefined || (!handle.pinned && handle.shownAtMs <= nowMs - SHOWN_PROTECTION_MS);
}

function removed(changes: Changes, id: string, nowMs: number): boolean {
  if (changes.get(changes.databases.captures, id) === undefined) return false;
  removeCapture(changes, id, 'evicted', nowMs);
  return true;
}

/** Takes back what unfinished captures of dead processes hold; `alive` judges a writer's name. */
export async function releasePending(
  environment: Environment,
  alive: (writer: string) => boolean,
): Promise<number> {
  let freed = 0;
  for (;;) {
    const keys = environment.read((databases) => orphans(databases, alive));
    if (keys.length === 0) return freed;
    freed += await environment.change((changes) => {
      const { pending } = changes.databases;
      for (const key of keys) {
        const digest = changes.get(pending, key);
        if (digest === undefined) continue;
        changes.remove(pending, key);
        releaseChunk(changes, Buffer.from(digest, 'hex'));
      }
      return changes.freed.bytes;
    });
  }
}

function orphans(databases: Databases, alive: (writer: string) => boolean): [string, number][] {
  const found: [string, number][] = [];
  const known = new Map<string, boolean>();
  for (const key of databases.pending.getKeys({})) {
    const living = known.get(key[0]) ?? alive(key[0]);
    known.set(key[0], living);
    if (!living) found.push(key);
    if (found.length === BATCH) break;
  }
  return found;
}
