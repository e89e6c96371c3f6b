import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, openSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Node has no mkfifo: one process makes a whole batch. Rejects with what `mkfifo` said. */
export function makeFifos(paths: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('mkfifo', ['-m', '600', ...paths], { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(said.trim() || `mkfifo: ${code}`)),
    );
  });
}

/** Both ends at once: never blocks, and while it is open nobody sees end of file. */
export function openBothEnds(path: string): number {
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK | constants.O_NOFOLLOW);
}

export function openReadEnd(path: string): number {
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
}

/** Null when nobody reads there any more. */
export function openWriteEnd(path: string): number | null {
  try {
    return openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return null;
  }
}

/** A name nobody can guess, free of blanks, safe as a word of the answer line. */
export function randomName(): string {
  return randomBytes(9).toString('base64url').replaceAll('-', 'a').replaceAll('_', 'b');
}

export function removeQuietly(directory: string, names: readonly string[]): void {
  for (const name of names) {
    try {
      unlinkSync(join(directory, name));
    } catch {
      // Already gone: somebody emptied the directory.
    }
  }
}
