import { closeSync, constants, openSync, readSync, unlinkSync, writeSync } from 'node:fs';

/**
 * The journal of one stream: everything that was read, written at once. Kept in full even where the archive will
 * not keep all of it, because a failure may stand anywhere in it.
 */
export class SpoolFile {
  readonly path: string;
  bytes = 0;
  /** Set when the disk refused: what is in the file is still right, the rest must go elsewhere. */
  failure: Error | null = null;
  private fd: number;

  constructor(path: string) {
    this.path = path;
    this.fd = openSync(
      path,
      constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
  }

  /** Writes all of `chunk`, or sets `failure` and returns how many bytes of it are in the file. */
  append(chunk: Uint8Array): number {
    let done = 0;
    while (done < chunk.length && !this.failure) {
      try {
        done += writeSync(this.fd, chunk, done, chunk.length - done, this.bytes + done);
      } catch (error) {
        this.failure = error as Error;
      }
    }
    this.bytes += done;
    return done;
  }

  /** The first `length` bytes; the file must still be open. */
  start(length: number): Buffer {
    const buffer = Buffer.alloc(length);
    return length === 0 ? buffer : buffer.subarray(0, readSync(this.fd, buffer, 0, length, 0));
  }

  close(): void {
    if (this.fd >= 0) closeSync(this.fd);
    this.fd = -1;
  }

  remove(): void {
    this.close();
    try {
      unlinkSync(this.path);
    } catch {
      // Nothing to remove.
    }
  }
}
