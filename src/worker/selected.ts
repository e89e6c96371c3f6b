import type { Archive, StoredCapture } from '../archive/types.ts';
import { Screen } from '../engine/screen/screen.ts';
import { createSelector, visible } from '../engine/select.ts';
import type { StreamName } from '../protocol/capture.ts';
import { CavemanError } from '../protocol/errors.ts';
import type { Selection } from '../protocol/requests.ts';
import { LineBuffer } from './line-buffer.ts';
import type { Turnstile } from './turnstile.ts';

/** `--tail` of more lines reads twice instead of holding them. */
const MAX_HELD_LINES = 1_000;

/** Bytes that `expand` gives. */
export interface Selected {
  handle: string;
  /** One line about what is missing or different; null when there is nothing to say. */
  note: string | null;
  /** SHA-256 of `chunks` when they are a whole stored stream; else null. */
  sha256: string | null;
  chunks: AsyncIterable<Uint8Array>;
}

/** The part of a capture that was asked for. `handle` is a full one. Throws `bad-request` when there is no such part. */
export function selected(
  archive: Archive,
  handle: string,
  select: Selection,
  turnstile: Turnstile,
): Selected {
  const capture = archive.captures(handle)[0];
  if (!capture) {
    throw new CavemanError('damaged-archive', `nothing is stored under ${handle}; run: caveman doctor`);
  }
  if (select.view) {
    const text = archive.viewText(handle);
    if (text !== null) {
      const bytes = new TextEncoder().encode(text);
      return { handle, note: null, sha256: null, chunks: shown([bytes], select, turnstile) };
    }
  }
  const { stream, lines } = place(capture, select);
  const stored = capture.streams.find(({ name }) => name === stream);
  if (!stored) {
    if (select.stream) throw new CavemanError('bad-request', `${handle} has no stream ${select.stream}`);
    return { handle, note: null, sha256: null, chunks: shown([], select, turnstile) };
  }
  const pickLines =
    lines !== null || select.head !== undefined || select.tail !== undefined || select.grep !== undefined;
  const read = (): Iterable<Uint8Array> => archive.read(handle, stream);
  const chunks = pickLines
    ? linesOf(read, lines ? { ...select, lines } : select, turnstile)
    : stepped(read(), turnstile);
  return {
    handle,
    note: lossNote(stored.lost, capture),
    sha256: pickLines || select.visible || stored.lost ? null : stored.sha256,
    chunks: select.visible ? visibly(chunks) : chunks,
  };
}

/** Which stream, and which of its lines when a gap or a range was named. */
function place(
  capture: StoredCapture,
  select: Selection,
): { stream: StreamName; lines: [number, number] | null } {
  const wanted = select.stream ?? defaultStream(capture);
  if (select.gap === undefined) return { stream: wanted, lines: select.lines ?? null };
  const gaps = capture.view.elisions.filter((gap) => !select.stream || (gap.stream ?? 'stdout') === wanted);
  const gap = gaps[select.gap - 1];
  if (!gap) {
    const how = gaps.length === 0 ? 'nothing was elided' : `the view has ${gaps.length} of them`;
    throw new CavemanError('bad-request', `there is no gap ${select.gap}: ${how}`);
  }
  return { stream: gap.stream ?? 'stdout', lines: [gap.firstLine, gap.lastLine] };
}

function defaultStream(capture: StoredCapture): StreamName {
  const bytes = (name: StreamName): number =>
    capture.streams.find((stream) => stream.name === name)?.bytes ?? 0;
  return bytes('stdout') === 0 && bytes('stderr') > 0 ? 'stderr' : 'stdout';
}

function lossNote(lost: { from: number; to: number } | null, capture: StoredCapture): string | null {
  if (lost) {
    const count = (lost.to - lost.from).toLocaleString('en-US');
    return `caveman: ${count} bytes from byte ${lost.from.toLocaleString('en-US')} on were not kept: the output was too large for the archive`;
  }
  return capture.facts.flags.killed
    ? 'caveman: the command was killed; this is what had been captured'
    : null;
}

async function* stepped(bytes: Iterable<Uint8Array>, turnstile: Turnstile): AsyncGenerator<Uint8Array> {
  for (const chunk of bytes) {
    await turnstile.turn();
    yield chunk;
  }
}

async function* linesOf(
  read: () => Iterable<Uint8Array>,
  select: Selection,
  turnstile: Turnstile,
): AsyncGenerator<Uint8Array> {
  if (select.tail !== undefined && select.tail > MAX_HELD_LINES) {
    const count = await countLines(read(), turnstile);
    const from = Math.max(1, count - select.tail + 1);
    if (count > 0) yield* linesOf(read, { lines: [from, count] }, turnstile);
    return;
  }
  const out = new LineBuffer();
  const selector = createSelector(select, (line, start, end) => out.line(line, start, end));
  const screen = new Screen((line, start, end) => selector.line(line, start, end));
  for (const chunk of read()) {
    await turnstile.turn();
    screen.push(chunk);
    if (out.length > 0) yield out.take();
    if (selector.done) break;
  }
  if (!selector.done) screen.finish();
  selector.finish();
  if (out.length > 0) yield out.take();
}

async function countLines(bytes: Iterable<Uint8Array>, turnstile: Turnstile): Promise<number> {
  let count = 0;
  const screen = new Screen(() => count++);
  for (const chunk of bytes) {
    await turnstile.turn();
    screen.push(chunk);
  }
  screen.finish();
  return count;
}

async function* shown(
  bytes: Iterable<Uint8Array>,
  select: Selection,
  turnstile: Turnstile,
): AsyncGenerator<Uint8Array> {
  const chunks = stepped(bytes, turnstile);
  yield* select.visible ? visibly(chunks) : chunks;
}

async function* visibly(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of chunks) {
    const joined = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    const end = wholeCharacters(joined);
    rest = joined.subarray(end);
    if (end > 0) yield visible(joined.subarray(0, end));
  }
  if (rest.length > 0) yield visible(rest);
}

/** Length without a UTF-8 sequence that the end of the chunk cuts in two. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
