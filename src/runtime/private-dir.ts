import { chmodSync, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { CavemanError } from '../protocol/errors.ts';

/**
 * Makes sure that `path` is a directory that this user alone can enter (0700), creating it if needed.
 * A link, another user's directory or a plain file is refused: in a shared `/tmp` it may be somebody's trap.
 */
export function privateDirectory(path: string): void {
  const old = process.umask(0o077);
  try {
    makeWithParents(path);
  } catch (error) {
    throw new CavemanError(
      'foreign-path',
      `cannot create ${path}: ${(error as Error).message}; set CAVEMAN_HOME to a directory of yours`,
    );
  } finally {
    process.umask(old);
  }
  const at = lstatSync(path);
  if (!at.isDirectory() || at.uid !== userInfo().uid) {
    throw new CavemanError(
      'foreign-path',
      `${path} is not a directory of yours; remove it or set CAVEMAN_HOME`,
    );
  }
  if ((at.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
}

/**
 * Node's own recursive mkdir never returns where a parent exists but cannot hold a directory (below /proc, say).
 */
function makeWithParents(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path || existsSync(parent)) throw error;
    makeWithParents(parent);
    mkdirSync(path, 0o700);
  }
}
