import type { Changes } from './changes.ts';
import { entryCount } from './databases.ts';

/** How many sent texts are remembered by default; about 100 bytes each. */
export const REMEMBERED_VIEWS = 100_000;

/** Remembers that a text with this SHA-256 (hex) was sent; beyond `most` the oldest is forgotten. */
export function rememberSent(changes: Changes, sha256: string, most: number): void {
  const { sent, sentOrder } = changes.databases;
  const known = changes.get(sent, sha256);
  if (known !== undefined) changes.remove(sentOrder, known);
  const next = (changes.get(sent, LAST) ?? 0) + 1;
  changes.put(sent, LAST, next);
  changes.put(sent, sha256, next);
  changes.put(sentOrder, next, sha256);
  const surplus = entryCount(sentOrder) + (known === undefined ? 1 : 0) - most;
  if (surplus <= 0) return;
  for (const { key, value } of sentOrder.getRange({ limit: surplus })) {
    changes.remove(sentOrder, key);
    // It may have been sent again since, under a later number.
    if (changes.get(sent, value) === key) changes.remove(sent, value);
  }
}

/** Key of the last sequence number; no SHA-256 is spelled so. */
const LAST = 'last';
