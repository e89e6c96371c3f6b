import { openArchive } from '../archive/open.ts';
import type { Archive, ArchiveLimits } from '../archive/types.ts';

const RETRY_MS = 2_000;

/**
 * Opens the archive on first use, and again after a failure: a disk that was full or a directory that was not ours
 * may be put right while we run. Between tries, at most one in 2 s, the last error is thrown again.
 */
export class ArchiveAccess {
  readonly #directory: string;
  readonly #limits: ArchiveLimits;
  #archive: Archive | null = null;
  #failure: { error: unknown; atMs: number } | null = null;

  constructor(directory: string, limits: ArchiveLimits) {
    this.#directory = directory;
    this.#limits = limits;
  }

  get(): Archive {
    if (this.#archive) return this.#archive;
    if (this.#failure && performance.now() - this.#failure.atMs < RETRY_MS) throw this.#failure.error;
    try {
      this.#archive = openArchive(this.#directory, this.#limits, Date.now);
      this.#failure = null;
      return this.#archive;
    } catch (error) {
      this.#failure = { error, atMs: performance.now() };
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#archive?.close();
    this.#archive = null;
  }
}
