import type { StoredStream, StoredView } from '../archive/types.ts';
import { footer } from '../engine/footer.ts';
import type { Projection } from '../engine/types.ts';
import type { CaptureFacts } from '../protocol/capture.ts';
import type { SpooledStream, StreamView, ViewRequest } from '../protocol/jobs.ts';
import { launcherPath } from '../runtime/paths.ts';
import { jsonView } from './json-view.ts';
import { endsWithNewline } from './spool.ts';
import { sha256Hex } from './stored-view.ts';

export interface StreamResult {
  stream: SpooledStream;
  projection: Projection;
}

/** What goes to the reader, and what the archive remembers of it. */
export interface DeliveredView {
  stdout: StreamView;
  stderr: StreamView | null;
  /** Text of stdout, footer included; null when the original bytes went through. */
  sentText: Uint8Array | null;
  showsHandle: boolean;
  /** One line for stderr that names the handle; '' for none. */
  note: string;
  stored: StoredView;
}

/** A projection that lets the original through. */
export function literalProjection(stream: SpooledStream, lines: number, reason: string): Projection {
  return {
    source: 'literal',
    reason,
    text: null,
    elisions: [],
    linesBefore: lines,
    linesAfter: lines,
    bytesBefore: stream.bytes,
  };
}

/** Puts footer and texts together. The one footer stands on stdout and counts both streams. `sealed` null: not archived. */
export function deliver(
  facts: CaptureFacts,
  view: ViewRequest,
  sealed: { handle: string; streams: StoredStream[] } | null,
  streams: StreamResult[],
): DeliveredView {
  const handle = sealed?.handle ?? '';
  const out = streams.find(({ stream }) => stream.name === 'stdout');
  const err = streams.find(({ stream }) => stream.name === 'stderr');
  const both = together(out, err);
  const line = footer(both, {
    handle,
    exit: facts.exit,
    signal: facts.signal,
    launcher: view.onPath ? 'caveman' : launcherPath(),
  });
  const stdout = streamView(out, line);
  const stderr = err ? streamView(err, '') : null;
  const shown = view.format === 'json' ? jsonView(facts, handle, both, out, err) : { stdout, stderr };
  const note =
    view.announce && handle !== '' && !line.includes(handle) ? announcement(view, handle, both) : '';
  const sentText = shown.stdout.kind === 'text' ? shown.stdout.text : null;
  return {
    ...shown,
    sentText,
    note,
    showsHandle: handle !== '' && (view.format === 'json' || line.includes(handle) || note !== ''),
    stored: {
      source: both.source,
      reason: both.reason,
      linesBefore: both.linesBefore,
      linesAfter: both.linesAfter,
      tokensBefore: null,
      tokensAfter: null,
      tokensEstimated: false,
      sha256: sentText === null ? '' : sha256Hex(sentText),
      elisions: [out, err].flatMap(
        (result) =>
          result?.projection.elisions.map((elision) => ({ ...elision, stream: result.stream.name })) ?? [],
      ),
    },
  };
}

/** What was asked for byte by byte is not added to, not even on stderr: both may be one file. */
const EXACT_REASONS = new Set(['file read', 'raw', 'recovery verb', 'already projected']);

function announcement(view: ViewRequest, handle: string, projection: Projection): string {
  if (view.format === 'json' || EXACT_REASONS.has(projection.reason)) return '';
  return `[${view.onPath ? 'caveman' : launcherPath()} expand ${handle}]`;
}

function together(out: StreamResult | undefined, err: StreamResult | undefined): Projection {
  const first = out ?? err;
  if (!first) return literalProjection({ name: 'stdout', path: '', bytes: 0 }, 0, 'empty');
  const other = first === out ? err : undefined;
  if (!other) return first.projection;
  const [a, b] = [first.projection, other.projection];
  // The footer speaks of what was elided, on whichever stream.
  const main = a.source !== 'terminal' && b.source !== 'literal' ? b : a;
  return {
    source: main.source,
    reason: main.reason,
    text: a.text,
    elisions: [...a.elisions, ...b.elisions],
    linesBefore: a.linesBefore + b.linesBefore,
    linesAfter: a.linesAfter + b.linesAfter,
    bytesBefore: a.bytesBefore + b.bytesBefore,
  };
}

function streamView(result: StreamResult | undefined, line: string): StreamView {
  if (!result) return { kind: 'literal', trailer: line === '' ? '' : `${line}\n` };
  const { text } = result.projection;
  if (text === null) {
    const before = line === '' || endsWithNewline(result.stream) ? '' : '\n';
    return { kind: 'literal', trailer: line === '' ? '' : `${before}${line}\n` };
  }
  const before = line === '' || text === '' || text.endsWith('\n') ? '' : '\n';
  return { kind: 'text', text: new TextEncoder().encode(line === '' ? text : `${text}${before}${line}\n`) };
}
