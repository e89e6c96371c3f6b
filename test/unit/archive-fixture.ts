import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openArchive } from '../../src/archive/open.ts';
import type { Archive, ArchiveLimits, StoredStream } from '../../src/archive/types.ts';
import type { CaptureFacts, StreamName } from '../../src/protocol/capture.ts';
import { factsOf, LIMITS } from './archive-bytes.ts';

export { DAY_MS, factsOf, LIMITS, MIB, noise } from './archive-bytes.ts';

/** A clock that a test moves. */
export class TestClock {
  ms = Date.UTC(2026, 0, 1);
  readonly now = (): number => this.ms;
}

/** A directory of this test's own, removed afterwards. */
export function ownDirectory(): string {
  const dir = mkdtempSync(join(tmpdir(), 'caveman-archive-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** An archive of this test's own, closed and removed afterwards. */
export function ownArchive(
  limits: Partial<ArchiveLimits> = {},
  clock: TestClock = new TestClock(),
): { archive: Archive; dir: string; clock: TestClock } {
  const dir = ownDirectory();
  const archive = openArchive(dir, { ...LIMITS, ...limits }, clock.now);
  onTestFinished(() => archive.close());
  return { archive, dir, clock };
}

/** Archives one capture; streams as text or bytes. */
export async function store(
  archive: Archive,
  streams: Partial<Record<StreamName, string | Uint8Array>>,
  changes: Partial<CaptureFacts> = {},
): Promise<{ handle: string; streams: StoredStream[]; id: string }> {
  const writer = archive.writer();
  for (const [name, bytes] of Object.entries(streams)) {
    await writer.write(name as StreamName, Buffer.from(bytes as Uint8Array));
  }
  const facts = factsOf(changes);
  try {
    return { ...(await writer.seal(facts)), id: facts.id };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

export function readAll(archive: Archive, handle: string, stream: StreamName = 'stdout'): Buffer {
  return Buffer.concat([...archive.read(handle, stream)]);
}

/** The error code that a call ends with, or '' when it succeeds. */
export async function codeOf(call: () => unknown): Promise<string> {
  try {
    await call();
    return '';
  } catch (error) {
    return String((error as { code?: string }).code ?? error);
  }
}
