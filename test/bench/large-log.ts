import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { withDirectory } from './directory.ts';
import { plainLines } from './inputs.ts';

const SLICE_LINES = 100_000;

/** A file of `bytes` bytes of log lines, no two alike, for the length of `use`. */
export function withLargeLog<T>(bytes: number, use: (path: string) => Promise<T>): Promise<T> {
  return withDirectory((dir) => {
    const path = join(dir, 'log');
    const fd = openSync(path, 'wx');
    for (let written = 0, line = 0; written < bytes; line += SLICE_LINES) {
      const slice = plainLines(line, SLICE_LINES);
      written += writeSync(fd, slice, 0, Math.min(slice.length, bytes - written));
    }
    closeSync(fd);
    return use(path);
  });
}
