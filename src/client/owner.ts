import { lstatSync, type Stats } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { CavemanError } from '../protocol/errors.ts';

/**
 * The mode of the socket's directory is the authentication: before we send it anything it must be ours, 0700,
 * and no link; the socket likewise. Throws `foreign-path`, or `daemon-down` when there is no such path.
 */
export function checkOwner(socketPath: string): void {
  const uid = userInfo().uid;
  const directory = dirname(socketPath);
  const above = lstat(directory);
  if (!above.isDirectory() || above.uid !== uid || (above.mode & 0o077) !== 0) {
    throw new CavemanError(
      'foreign-path',
      `${directory} is not a private directory of yours; remove it or set CAVEMAN_HOME`,
    );
  }
  const socket = lstat(socketPath);
  if (!socket.isSocket() || socket.uid !== uid) {
    throw new CavemanError('foreign-path', `${socketPath} is not a socket of yours; remove it`);
  }
}

function lstat(path: string): Stats {
  try {
    return lstatSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      throw new CavemanError('daemon-down', 'the daemon is not running; run: caveman daemon start');
    }
    throw new CavemanError('foreign-path', `cannot look at ${path}: ${message}; set CAVEMAN_HOME`);
  }
}
