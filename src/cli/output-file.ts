import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { CavemanError } from '../protocol/errors.ts';
import { writeAll } from './output.ts';

/**
 * A file that appears under its name only when all of it is there: written beside it (mode 0600), then renamed. A
 * plain file of that name is replaced; a link, directory or device is refused, for it may lead anywhere.
 */
export class OutputFile {
  readonly #path: string;
  readonly #draft: string;
  #fd: number | null;

  private constructor(path: string, draft: string, fd: number) {
    this.#path = path;
    this.#draft = draft;
    this.#fd = fd;
  }

  /** Throws `bad-request` with one line when the file cannot be written. */
  static open(path: string): OutputFile {
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there && !there.isFile()) {
      const what = there.isSymbolicLink() ? 'a link' : there.isDirectory() ? 'a directory' : 'no plain file';
      throw new CavemanError('bad-request', `${path} is ${what}; name a plain or a new file`);
    }
    const draft = `${path}.${randomBytes(6).toString('hex')}.part`;
    try {
      return new OutputFile(path, draft, openSync(draft, 'wx', 0o600));
    } catch (error) {
      throw new CavemanError('bad-request', `cannot write ${path}: ${(error as Error).message}`);
    }
  }

  write(chunk: Uint8Array): void {
    if (this.#fd !== null) writeAll(this.#fd, chunk);
  }

  commit(): void {
    if (this.#fd === null) return;
    closeSync(this.#fd);
    this.#fd = null;
    renameSync(this.#draft, this.#path);
  }

  /** Removes what was written, unless it was committed. */
  discard(): void {
    if (this.#fd === null) return;
    closeSync(this.#fd);
    this.#fd = null;
    rmSync(this.#draft, { force: true });
  }
}
