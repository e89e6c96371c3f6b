import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { CavemanError } from '../protocol/errors.ts';

/** One line for people from whatever LMDB or the file system threw. CavemanErrors pass unchanged. */
export function faultOf(error: unknown, path: string): CavemanError {
  if (error instanceof CavemanError) return error;
  const text = error instanceof Error ? error.message : String(error);
  if (/MDB_MAP_FULL|No space left|ENOSPC|quota exceeded|EDQUOT/i.test(text)) {
    return new CavemanError(
      'archive-full',
      `no room on the disk of ${path}; free some space or run caveman gc`,
    );
  }
  if (/MDB_(CORRUPTED|PAGE_NOTFOUND|INVALID|PANIC|PROBLEM)/.test(text)) {
    return new CavemanError(
      'damaged-archive',
      `${path} is damaged (${firstLine(text)}); run caveman daemon restart`,
    );
  }
  return new CavemanError(
    'archive-unavailable',
    `cannot use ${path}: ${firstLine(text)}; check its disk and owner, then run caveman daemon restart`,
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Below this many free bytes an input/output error of a write means a full disk: LMDB turns a short write into EIO. */
const FULL_DISK_BYTES = 4 * 1024 * 1024;

/**
 * The cause of a failed LMDB commit. lmdb-js rejects with "Commit failed" and keeps the reason in a second
 * promise, `commitError`, that must be awaited or Node ends the process for an unhandled rejection.
 */
export async function commitFault(error: unknown, path: string): Promise<CavemanError> {
  const cause = (error as { commitError?: Promise<unknown> }).commitError;
  const reason = cause === undefined ? error : await cause.catch((inner: unknown) => inner);
  const full = (reason as { code?: number }).code === EIO && freeBytes(dirname(path)) < FULL_DISK_BYTES;
  return faultOf(full ? new Error('ENOSPC') : reason, path);
}

const EIO = 5;

function freeBytes(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return Infinity;
  }
}
