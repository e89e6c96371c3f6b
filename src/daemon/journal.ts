import { readdirSync, readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureFacts } from '../protocol/capture.ts';
import type { SpooledStream } from '../protocol/jobs.ts';
import { isAlive, type ProcessMark } from '../runtime/process-mark.ts';

/** What a new daemon must know to archive a capture whose daemon died. */
interface JournalEntry {
  owner: ProcessMark;
  facts: CaptureFacts;
}

const SUFFIX = '.json';

/** Written beside the spool file while a capture is under way, and again when its end is known. */
export function writeJournal(spoolDirectory: string, owner: ProcessMark, facts: CaptureFacts): void {
  const path = join(spoolDirectory, facts.id + SUFFIX);
  writeFileSync(`${path}.new`, JSON.stringify({ owner, facts } satisfies JournalEntry), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export function removeJournal(spoolDirectory: string, id: string): void {
  try {
    unlinkSync(join(spoolDirectory, id + SUFFIX));
  } catch {
    // Never written, or somebody emptied the directory.
  }
}

/** Captures in the spool whose daemon is dead, with the streams that are there. */
export function orphans(spoolDirectory: string): { facts: CaptureFacts; streams: SpooledStream[] }[] {
  const found: { facts: CaptureFacts; streams: SpooledStream[] }[] = [];
  for (const name of readdirSync(spoolDirectory)) {
    if (!name.endsWith(SUFFIX)) continue;
    try {
      const entry = JSON.parse(readFileSync(join(spoolDirectory, name), 'utf8')) as JournalEntry;
      if (isAlive(entry.owner)) continue;
      const facts = entry.facts;
      if (facts.exit === null) facts.flags.killed = true;
      found.push({ facts, streams: spooledStreams(spoolDirectory, facts.id) });
    } catch {
      // Half an entry: the spool file stays for a person to look at.
    }
  }
  return found;
}

/**
 * Files that belong to no capture that anybody knows (the daemon died before it had a journal, or kept late output)
 * and were not touched for `olderThanMs`.
 */
export function strays(spoolDirectory: string, olderThanMs: number): string[] {
  const names = readdirSync(spoolDirectory);
  const known = new Set(names.filter((name) => name.endsWith(SUFFIX)).map(idOf));
  return names.filter((name) => !known.has(idOf(name)) && isOld(join(spoolDirectory, name), olderThanMs));
}

function idOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

function isOld(path: string, olderThanMs: number): boolean {
  const at = statSync(path, { throwIfNoEntry: false });
  return at !== undefined && Date.now() - at.mtimeMs > olderThanMs;
}

function spooledStreams(directory: string, id: string): SpooledStream[] {
  const streams: SpooledStream[] = [];
  for (const [name, suffix] of [
    ['stdout', '.o'],
    ['stderr', '.e'],
  ] as const) {
    const path = join(directory, id + suffix);
    try {
      streams.push({ name, path, bytes: statSync(path).size });
    } catch {
      // This capture had no such stream.
    }
  }
  return streams;
}
