import type { ProjectOptions } from '../engine/types.ts';
import type { CaptureFacts, StreamName } from '../protocol/capture.ts';

/** Claude's shells cut a failing command's output at 10,000 characters: a view that fits is better than a cut one. */
const CUTTING_AGENTS = 'CLAUDE';
const MAX_TOKENS_WHEN_CUT = 2_400;

/** What the engine is told about one stream of a capture. */
export function projectOptions(facts: CaptureFacts, stream: StreamName, maxTokens: number): ProjectOptions {
  const cut = facts.exit !== 0 && facts.agent.startsWith(CUTTING_AGENTS);
  return {
    command: facts.command,
    argument: facts.argument,
    exit: facts.exit,
    signal: facts.signal,
    stream: stream === 'stderr' ? 'stderr' : 'stdout',
    maxTokens: cut ? Math.min(maxTokens, MAX_TOKENS_WHEN_CUT) : maxTokens,
    literal: facts.flags.raw ? 'raw' : facts.flags.literal ? 'recovery verb' : null,
    cutShort: facts.flags.killed,
    origin: 'capture',
  };
}
