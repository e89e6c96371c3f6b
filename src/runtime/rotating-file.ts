import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

const MAX_BYTES = 5 * 1024 * 1024;
const KEPT = 3;

/**
 * An append-only file, 0600, that is renamed to `FILE.1` (… `FILE.3`, the oldest falls out) when a write would
 * take it over `maxBytes`. Writes are synchronous: a log line is there when the process dies right after it.
 * Several processes may write to one file: whoever finds it renamed by another just opens the new one.
 */
export class RotatingFile {
  readonly #path: string;
  readonly #maxBytes: number;
  readonly #kept: number;
  #fd: number;

  /** Throws what `open` throws. */
  constructor(path: string, maxBytes: number = MAX_BYTES, kept: number = KEPT) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    this.#kept = kept;
    this.#fd = open(path);
  }

  /** Never throws: a full disk loses log lines, nothing else. */
  write(text: string): void {
    try {
      const size = fstatSync(this.#fd).size;
      if (size > 0 && size + Buffer.byteLength(text) > this.#maxBytes) this.#rotate();
      writeSync(this.#fd, text);
    } catch {
      // Nothing to do about it, and nowhere to say so.
    }
  }

  end(): void {
    closeSync(this.#fd);
  }

  #rotate(): void {
    if (this.#isCurrent()) {
      for (let i = this.#kept - 1; i >= 1; i--) rename(`${this.#path}.${i}`, `${this.#path}.${i + 1}`);
      rename(this.#path, `${this.#path}.1`);
    }
    const next = open(this.#path);
    closeSync(this.#fd);
    this.#fd = next;
  }

  #isCurrent(): boolean {
    try {
      return statSync(this.#path).ino === fstatSync(this.#fd).ino;
    } catch {
      return false;
    }
  }
}

function open(path: string): number {
  return openSync(path, 'a', 0o600);
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
