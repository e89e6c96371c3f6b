import { writeSync } from 'node:fs';

const STDOUT = 1;
const STDERR = 2;
const RETRY_MS = 2;
const pause = new Int32Array(new SharedArrayBuffer(4));

/**
 * Writes all of `data` to stdout before it returns. `process.stdout` would switch a shared pipe to non-blocking
 * mode under the other programs that hold it. Throws EPIPE when the reader has gone.
 */
export function writeOut(data: Uint8Array | string): void {
  writeAll(STDOUT, typeof data === 'string' ? Buffer.from(data) : data);
}

/** One line for the person, on stderr. A closed stderr is nobody's failure. */
export function writeErr(line: string): void {
  try {
    writeAll(STDERR, Buffer.from(`${line}\n`));
  } catch {
    // Nobody listens.
  }
}

export function writeJson(value: unknown): void {
  writeOut(`${JSON.stringify(value)}\n`);
}

/** Writes everything to a descriptor; waits where somebody made it non-blocking and it is full. */
export function writeAll(fd: number, data: Uint8Array): void {
  for (let at = 0; at < data.length; ) {
    try {
      at += writeSync(fd, data, at, data.length - at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, RETRY_MS);
    }
  }
}
