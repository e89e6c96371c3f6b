import { join } from 'node:path';
import pino from 'pino';
import { paths } from './paths.ts';
import { privateDirectory } from './private-dir.ts';
import { RotatingFile } from './rotating-file.ts';

export type Log = pino.Logger;

/**
 * The log of one process: `logs/NAME.log`, 0600, one JSON object a line, rotated by size.
 * Never write command text or output into it: both may hold secrets.
 * A log that cannot be opened is silent; it must not cost anyone their output.
 */
export function createLog(name: 'daemon' | 'worker', level: string = 'info'): Log {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime };
  try {
    const { logs } = paths();
    privateDirectory(logs);
    return pino(options, new RotatingFile(join(logs, `${name}.log`)));
  } catch {
    return pino({ ...options, level: 'silent' });
  }
}
