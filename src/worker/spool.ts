import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { CavemanError } from '../protocol/errors.ts';
import type { SpooledStream } from '../protocol/jobs.ts';
import type { Turnstile } from './turnstile.ts';

/** Files below this are read at once: a thread pool round trip costs more than the read. */
const SMALL_BYTES = 256 * 1024;
/** One step of a large file: some 2 ms of engine and archive work. */
const STEP_BYTES = 128 * 1024;

/**
 * The bytes of a spool file, in chunks that are the receiver's to keep. Large files give way to other work between
 * chunks. Throws `internal` when the file is shorter than announced, `cancelled` when `signal` fires.
 */
export async function* spoolChunks(
  stream: SpooledStream,
  turnstile: Turnstile,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  if (stream.bytes === 0) return;
  if (stream.bytes < SMALL_BYTES) {
    yield readWhole(stream);
    return;
  }
  const file = await open(stream.path, 'r');
  try {
    for (let at = 0; at < stream.bytes; ) {
      await turnstile.turn();
      if (signal.aborted) throw new CavemanError('cancelled', 'the job was cancelled');
      const buffer = Buffer.allocUnsafeSlow(Math.min(STEP_BYTES, stream.bytes - at));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      if (bytesRead === 0) throw short(stream, at);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/** Whether the stream's last byte is a newline; true for an empty stream. */
export function endsWithNewline(stream: SpooledStream): boolean {
  if (stream.bytes === 0) return true;
  const last = Buffer.alloc(1);
  const fd = openSync(stream.path, 'r');
  try {
    readSync(fd, last, 0, 1, stream.bytes - 1);
  } finally {
    closeSync(fd);
  }
  return last[0] === 0x0a;
}

function readWhole(stream: SpooledStream): Uint8Array {
  const fd = openSync(stream.path, 'r');
  try {
    const size = fstatSync(fd).size;
    if (size < stream.bytes) throw short(stream, size);
    const buffer = Buffer.allocUnsafeSlow(stream.bytes);
    for (let at = 0; at < buffer.length; ) {
      const read = readSync(fd, buffer, at, buffer.length - at, at);
      if (read === 0) throw short(stream, at);
      at += read;
    }
    return buffer;
  } finally {
    closeSync(fd);
  }
}

function short(stream: SpooledStream, got: number): CavemanError {
  return new CavemanError('internal', `the spool of ${stream.name} ends at ${got} of ${stream.bytes} bytes`);
}
