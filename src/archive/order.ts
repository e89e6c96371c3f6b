import type { Changes } from './changes.ts';
import { type HandleRecord, SHOWN_PROTECTION_MS } from './records.ts';

/**
 * The order in which handles may be evicted, as keys of one index: first those whose captures are all flagged
 * literal, then the others, each oldest first. Handles that were shown wait in a zone of their own, by the
 * time they were shown; pinned ones stand in `pins` instead.
 */
export const ZONE = { literal: 0, plain: 1, shown: 2 } as const;

type OrderKey = [number, number, string];

/** Moves a handle to where `after` belongs. `before` is the record as it is stored, undefined for a new one. */
export function place(
  changes: Changes,
  handle: string,
  before: HandleRecord | undefined,
  after: HandleRecord,
  nowMs: number,
): void {
  const { order, pins } = changes.databases;
  if (before?.state === 'live') {
    if (before.pinned) changes.remove(pins, handle);
    // A handle's zone changes by time alone too, so every place where it may stand is cleared.
    for (const key of placesOf(handle, before)) changes.remove(order, key);
  }
  if (after.state !== 'live') return;
  if (after.pinned) changes.put(pins, handle, 0);
  else changes.put(order, placeOf(handle, after, nowMs), 0);
}

function placeOf(handle: string, record: HandleRecord, nowMs: number): OrderKey {
  if (record.shownAtMs > nowMs - SHOWN_PROTECTION_MS) return [ZONE.shown, record.shownAtMs, handle];
  return [record.captures === record.literals ? ZONE.literal : ZONE.plain, record.newestAtMs, handle];
}

function placesOf(handle: string, record: HandleRecord): OrderKey[] {
  return [
    [ZONE.literal, record.newestAtMs, handle],
    [ZONE.plain, record.newestAtMs, handle],
    [ZONE.shown, record.shownAtMs, handle],
  ];
}
