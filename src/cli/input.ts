import { read } from 'node:fs';
import { promisify } from 'node:util';
import { CavemanError } from '../protocol/errors.ts';

const STDIN = 0;
const CHUNK_BYTES = 1024 * 1024;
const readAsync = promisify(read);

/** All of stdin in chunks of at most 1 MiB; each chunk is a buffer of its own. Throws when stdin is a terminal. */
export async function* readInput(): AsyncGenerator<Uint8Array> {
  const { isatty } = await import('node:tty');
  if (isatty(STDIN)) {
    throw new CavemanError('bad-request', 'the input comes on stdin; try: caveman compress < build.log');
  }
  let buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  let filled = 0;
  for (;;) {
    const n = await readSome(buffer, filled);
    if (n === 0) break;
    filled += n;
    // A pipe gives at most 64 KiB at a time: hand on fewer, larger chunks.
    if (filled === buffer.length) {
      yield buffer;
      buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled);
}

/** One read; a stdin that somebody made non-blocking is waited for. */
async function readSome(buffer: Buffer, at: number): Promise<number> {
  for (;;) {
    try {
      return (await readAsync(STDIN, buffer, at, buffer.length - at, null)).bytesRead;
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') {
        throw new CavemanError('bad-request', `cannot read stdin: ${message}; try: caveman compress < FILE`);
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
