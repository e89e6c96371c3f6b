import { closeSync, openSync, readSync } from 'node:fs';
import type { Projection } from '../engine/types.ts';
import type { CaptureFacts } from '../protocol/capture.ts';
import type { SpooledStream, StreamView } from '../protocol/jobs.ts';
import type { StreamResult } from './delivery.ts';

/** An original longer than this is not put into a JSON line; `expand` gives it. */
const MAX_LITERAL_BYTES = 8 * 1024 * 1024;

/** `run --json`: one line with everything, on stdout; nothing on stderr. */
export function jsonView(
  facts: CaptureFacts,
  handle: string,
  both: Projection,
  out: StreamResult | undefined,
  err: StreamResult | undefined,
): { stdout: StreamView; stderr: StreamView | null } {
  const line = JSON.stringify({
    handle: handle || null,
    exit: facts.exit,
    signal: facts.signal,
    text: out ? textOf(out) : '',
    lines_before: both.linesBefore,
    lines_after: both.linesAfter,
    source: both.source,
    reason: both.reason,
    bytes: both.bytesBefore,
    stderr: err
      ? {
          text: textOf(err),
          lines_before: err.projection.linesBefore,
          lines_after: err.projection.linesAfter,
          source: err.projection.source,
          reason: err.projection.reason,
          bytes: err.projection.bytesBefore,
        }
      : null,
  });
  return {
    stdout: { kind: 'text', text: new TextEncoder().encode(`${line}\n`) },
    stderr: err ? { kind: 'text', text: new Uint8Array(0) } : null,
  };
}

/** Null: too long to be here, see the handle. */
function textOf({ stream, projection }: StreamResult): string | null {
  if (projection.text !== null) return projection.text;
  return stream.bytes > MAX_LITERAL_BYTES ? null : new TextDecoder().decode(readAll(stream));
}

function readAll(stream: SpooledStream): Uint8Array {
  const buffer = Buffer.alloc(stream.bytes);
  if (stream.bytes === 0) return buffer;
  const fd = openSync(stream.path, 'r');
  try {
    for (let at = 0; at < buffer.length; ) {
      const read = readSync(fd, buffer, at, buffer.length - at, at);
      if (read === 0) return buffer.subarray(0, at);
      at += read;
    }
    return buffer;
  } finally {
    closeSync(fd);
  }
}
