import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Input up to this size stays in memory; more goes to a temporary file without a name. */
const MEMORY_BYTES = 128 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

/** Keeps the original of what is compressed, so that it can be archived, counted or handed through unchanged. */
export class HeldInput {
  /** What is not in the file: everything, or what no longer fitted on the disk. */
  #chunks: Uint8Array[] = [];
  #file: number | null = null;
  #fileBytes = 0;
  #bytes = 0;
  #mayGrow = true;
  readonly #memoryBytes: number;

  constructor(memoryBytes: number = MEMORY_BYTES) {
    this.#memoryBytes = memoryBytes;
  }

  /** Bytes held. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes a chunk; it must not change afterwards. */
  push(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
    if (this.#mayGrow && (this.#file !== null || this.#bytes > this.#memoryBytes)) this.#spill();
  }

  /** All bytes from the start, in order; any number of times. */
  async *replay(): AsyncGenerator<Uint8Array> {
    for (let at = 0; this.#file !== null && at < this.#fileBytes; ) {
      const buffer = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, this.#fileBytes - at));
      const n = readSync(this.#file, buffer, 0, buffer.length, at);
      if (n === 0) throw new Error('the temporary copy of the input is too short');
      yield buffer.subarray(0, n);
      at += n;
    }
    yield* this.#chunks;
  }

  close(): void {
    this.#chunks = [];
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** Moves the chunks to the file; with no room there, they stay in memory and so does the rest. */
  #spill(): void {
    try {
      this.#file ??= openNameless();
      for (let chunk = this.#chunks[0]; chunk; chunk = this.#chunks[0]) {
        append(this.#file, chunk, this.#fileBytes);
        this.#fileBytes += chunk.length;
        this.#chunks.shift();
      }
    } catch {
      this.#mayGrow = false;
    }
  }
}

/** The file loses its name at once: whatever ends this process, nothing of the input stays behind. */
function openNameless(): number {
  const path = join(tmpdir(), `caveman-${randomBytes(12).toString('hex')}`);
  const fd = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return fd;
}

function append(fd: number, chunk: Uint8Array, position: number): void {
  for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at, chunk.length - at, position + at);
}
