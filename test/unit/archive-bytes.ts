import type { ArchiveLimits } from '../../src/archive/types.ts';
import type { CaptureFacts } from '../../src/protocol/capture.ts';

export const MIB = 1024 * 1024;
export const DAY_MS = 24 * 60 * 60 * 1000;
export const LIMITS: ArchiveLimits = { maxBytes: 1024 * MIB, maxAgeDays: 30 };

let captures = 0;

export function factsOf(changes: Partial<CaptureFacts> = {}): CaptureFacts {
  captures++;
  return {
    id: captures.toString(16).padStart(16, '0'),
    command: 'make test',
    commandBytes: 9,
    argument: '',
    cwd: '/somewhere',
    agent: 'TEST',
    session: 's1',
    startedAtMs: Date.UTC(2026, 0, 1) + captures,
    durationMs: 5,
    mode: 'pipe',
    exit: 0,
    signal: null,
    flags: { killed: false, raw: false, literal: false },
    ...changes,
  };
}

/** Bytes that no compressor makes smaller, the same for the same seed. */
export function noise(bytes: number, seed: number): Buffer {
  const out = Buffer.allocUnsafe(bytes);
  let state = (seed * 2654435761 + 1) >>> 0;
  for (let i = 0; i < bytes; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    out[i] = state >>> 11;
  }
  return out;
}
