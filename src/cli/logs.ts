import { closeSync, fstatSync, openSync, readSync, watch } from 'node:fs';
import { join } from 'node:path';
import { CavemanError } from '../protocol/errors.ts';
import { paths } from '../runtime/paths.ts';
import type { Paint, Style } from './render/paint.ts';
import { oneLine } from './render/plain.ts';

const NAMES = ['daemon', 'worker'] as const;
type Name = (typeof NAMES)[number];
/** How much of a file's end is looked at for its last lines. */
const TAIL_BYTES = 1024 * 1024;
/** Level numbers of pino. */
const LEVELS: Readonly<Record<number, readonly [string, Style]>> = {
  20: ['debug', 'dim'],
  30: ['info', 'green'],
  40: ['warn', 'yellow'],
  50: ['error', 'red'],
  60: ['fatal', 'red'],
};
const OWN_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg']);

export interface LogLine {
  /** As it stands in the file. */
  json: string;
  timeMs: number;
  /** One line for a person: time, level, who, what, further fields. */
  render(paint: Paint): string;
}

/** Where reading stopped: the file's identity and byte offset. */
type Position = { inode: number; at: number };
export type Positions = Record<Name, Position>;

/** The last `count` lines of both logs in order of time, and where the files ended. */
export function lastLogLines(count: number): { lines: LogLine[]; ends: Positions } {
  const ends: Positions = { daemon: { inode: 0, at: 0 }, worker: { inode: 0, at: 0 } };
  const lines: LogLine[] = [];
  for (const name of NAMES) {
    const got = readFrom(name, null);
    ends[name] = got.end;
    lines.push(...got.lines);
  }
  lines.sort((a, b) => a.timeMs - b.timeMs);
  return { lines: lines.slice(-count), ends };
}

/** Gives every line that is added, until the process is interrupted. */
export async function followLogs(from: Positions, onLine: (line: LogLine) => void): Promise<void> {
  const { logs } = paths();
  const positions = { ...from };
  let watcher: ReturnType<typeof watch>;
  try {
    watcher = watch(logs);
  } catch {
    throw new CavemanError('daemon-down', `there are no logs in ${logs} yet; run: caveman daemon start`);
  }
  const stopped = new Promise<void>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const readOn = (): void => {
    for (const name of NAMES) {
      const got = readFrom(name, positions[name]);
      positions[name] = got.end;
      got.lines.forEach(onLine);
    }
  };
  watcher.on('error', fail);
  watcher.on('change', () => {
    try {
      readOn();
    } catch (error) {
      fail(error);
    }
  });
  // What was written before the watch began.
  readOn();
  try {
    await Promise.race([stopped, failed]);
  } finally {
    watcher.close();
  }
}

/** Whole lines from a position (null: from near the end). A file that was rotated is read from its start. */
function readFrom(name: Name, from: Position | null): { lines: LogLine[]; end: Position } {
  let fd: number;
  try {
    fd = openSync(join(paths().logs, `${name}.log`), 'r');
  } catch {
    return { lines: [], end: from ?? { inode: 0, at: 0 } };
  }
  try {
    const { size, ino } = fstatSync(fd);
    const same = from !== null && from.inode === ino && from.at <= size;
    const start = from === null ? Math.max(0, size - TAIL_BYTES) : same ? from.at : 0;
    const buffer = Buffer.alloc(size - start);
    const text = buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, start));
    const whole = text.subarray(0, text.lastIndexOf(10) + 1);
    const all = whole.toString('utf8').split('\n').filter(Boolean);
    // A read that began inside the file began inside a line.
    const lines = from === null && start > 0 ? all.slice(1) : all;
    return { lines: lines.map((json) => logLine(name, json)), end: { inode: ino, at: start + whole.length } };
  } finally {
    closeSync(fd);
  }
}

function logLine(name: Name, json: string): LogLine {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return { json, timeMs: 0, render: () => oneLine(json) };
  }
  const time = fields['time'];
  const timeMs = typeof time === 'number' ? time : Date.parse(String(time)) || 0;
  return { json, timeMs, render: (paint) => render(name, fields, timeMs, paint) };
}

function render(name: Name, fields: Record<string, unknown>, timeMs: number, paint: Paint): string {
  const level = fields['level'];
  const [word, style] = (typeof level === 'number' ? LEVELS[level] : undefined) ?? [String(level), 'dim'];
  const rest = Object.entries(fields)
    .filter(([key]) => !OWN_FIELDS.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  const when = new Date(timeMs).toISOString().replace('T', ' ').slice(0, 23);
  const what = oneLine(`${String(fields['msg'] ?? '')} ${rest}`);
  return `${paint('dim', when)}  ${paint(style, word.padEnd(5))}  ${name.padEnd(6)}  ${what}`;
}
