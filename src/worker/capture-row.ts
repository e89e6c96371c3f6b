import type { StoredCapture } from '../archive/types.ts';
import type { CaptureRow } from '../protocol/requests.ts';

/** A stored capture as clients see it; the command cut to `maxCommandCharacters`. */
export function captureRow(capture: StoredCapture, maxCommandCharacters: number): CaptureRow {
  const { facts, view, streams } = capture;
  const flags = Object.entries(facts.flags).flatMap(([name, set]) => (set ? [name] : []));
  if (streams.some((stream) => stream.lost)) flags.push('truncated');
  return {
    id: facts.id,
    handle: capture.handle,
    command: cut(facts.command, maxCommandCharacters),
    cwd: facts.cwd,
    agent: facts.agent,
    session: facts.session,
    startedAtMs: facts.startedAtMs,
    durationMs: facts.durationMs,
    exit: facts.exit,
    signal: facts.signal,
    mode: facts.mode,
    bytes: streams.reduce((sum, stream) => sum + stream.bytes, 0),
    linesBefore: view.linesBefore,
    linesAfter: view.linesAfter,
    tokensBefore: view.tokensBefore,
    tokensAfter: view.tokensAfter,
    tokensEstimated: view.tokensEstimated,
    source: view.source,
    reason: view.reason,
    flags,
    pinned: capture.pinned,
  };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
