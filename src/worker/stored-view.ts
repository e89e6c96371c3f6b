import { createHash } from 'node:crypto';
import type { StoredView } from '../archive/types.ts';

/** The record of a capture whose original went through. */
export function literalStoredView(lines: number, reason: string): StoredView {
  return {
    source: 'literal',
    reason,
    linesBefore: lines,
    linesAfter: lines,
    tokensBefore: null,
    tokensAfter: null,
    tokensEstimated: false,
    sha256: '',
    elisions: [],
  };
}

export function sha256Hex(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
