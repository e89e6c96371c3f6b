import type { CaptureWriter, StoredStream } from '../archive/types.ts';
import { createProjector } from '../engine/project.ts';
import type { Projection, Projector } from '../engine/types.ts';
import { CavemanError } from '../protocol/errors.ts';
import type { DaemonMessage, SpooledStream } from '../protocol/jobs.ts';
import { type Sample, Sampler, sampleOf } from '../runtime/tokens/sampler.ts';
import type { Context } from './context.ts';
import { type DeliveredView, deliver, literalProjection, type StreamResult } from './delivery.ts';
import { projectOptions } from './project-options.ts';
import { spoolChunks } from './spool.ts';
import type { Turnstile } from './turnstile.ts';

/** Of one look at the clock, and of one stretch of work without giving way to others. */
const SLICE_BYTES = 16 * 1024;
const STEP_MS = 4;

export type ProjectMessage = Extract<DaemonMessage, { type: 'project' }>;

interface Passed {
  projection: Projection;
  sample: Sample;
}

/**
 * Archives the streams of an ended command, then answers with their projections: nothing lossy is shown before the
 * original is committed. When the archive refuses or fails, the original goes through.
 */
export async function projectJob(
  message: ProjectMessage,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { job, facts, view } = message;
  let sealed: { handle: string; streams: StoredStream[] };
  let passed: Map<string, Passed>;
  try {
    const writer = context.archive().writer();
    passed = await passStreams(message, writer, context, signal);
    sealed = await writer.seal(facts);
  } catch (error) {
    if (!isArchiveTrouble(error)) throw error;
    refuse(message, context, error);
    return;
  }
  const streams = view.deliver
    ? projections(message, passed)
    : asLiteral(message, sealed, view.shownWhole || 'not delivered');
  const seen = sealed.streams.find((stream) => stream.name === 'stdout');
  const again =
    view.deliver && seen !== undefined && seen.bytes > 0 && context.archive().sentBefore(seen.sha256);
  const delivered = deliver(
    facts,
    view,
    sealed,
    again ? asLiteral(message, sealed, 'already projected') : streams,
  );
  await settle(message, sealed.handle, delivered, context);
  context.tokens.add({
    captureId: facts.id,
    before: [...passed.values()].map(({ sample }) => sample),
    after: delivered.sentText === null ? null : [sampleOf(delivered.sentText)],
  });
  context.daemon.send({ type: 'stored', job });
}

/** A handle is shown only when that is on disk: a shown one may not be evicted for a day. */
async function settle(
  message: ProjectMessage,
  handle: string,
  delivered: DeliveredView,
  context: Context,
): Promise<void> {
  const archive = context.archive();
  const { job, facts, view } = message;
  const answer = (): void => {
    if (view.deliver) {
      const { stdout, stderr, note } = delivered;
      context.daemon.send({ type: 'projected', job, stdout, stderr, note });
    }
  };
  const record = (): Promise<void> =>
    archive.setView(
      facts.id,
      delivered.stored,
      delivered.sentText === null ? null : new TextDecoder().decode(delivered.sentText),
    );
  if (delivered.showsHandle) {
    await Promise.all([record(), archive.markShown(handle, Date.now())]);
    answer();
  } else {
    answer();
    await record();
  }
}

async function passStreams(
  message: ProjectMessage,
  writer: CaptureWriter,
  context: Context,
  signal: AbortSignal,
): Promise<Map<string, Passed>> {
  try {
    const done = await Promise.all(
      message.streams.map(async (stream) => {
        const passed = await passStream(message, stream, writer, context, signal);
        return [stream.name, passed] as const;
      }),
    );
    return new Map(done);
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

async function passStream(
  message: ProjectMessage,
  stream: SpooledStream,
  writer: CaptureWriter,
  context: Context,
  signal: AbortSignal,
): Promise<Passed> {
  const projector = createProjector(
    projectOptions(message.facts, stream.name, context.settings.view.max_tokens),
  );
  const sampler = new Sampler(stream.bytes);
  for await (const chunk of spoolChunks(stream, context.turnstile, signal)) {
    const written = writer.write(stream.name, chunk);
    if (message.view.deliver) await pushInSteps(projector, chunk, context.turnstile);
    sampler.push(chunk);
    await written;
  }
  return { projection: projector.finish(), sample: sampler.sample() };
}

/** Output full of cursor movements is a hundred times slower than plain lines: the clock decides when to give way. */
async function pushInSteps(projector: Projector, chunk: Uint8Array, turnstile: Turnstile): Promise<void> {
  let since = performance.now();
  for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
    projector.push(chunk.subarray(at, at + SLICE_BYTES));
    if (performance.now() - since < STEP_MS) continue;
    await turnstile.turn();
    since = performance.now();
  }
}

function projections(message: ProjectMessage, passed: Map<string, Passed>): StreamResult[] {
  return message.streams.map((stream) => {
    const found = passed.get(stream.name);
    return { stream, projection: found?.projection ?? literalProjection(stream, 0, 'not delivered') };
  });
}

function asLiteral(
  message: ProjectMessage,
  sealed: { streams: StoredStream[] },
  reason: string,
): StreamResult[] {
  return message.streams.map((stream) => {
    const lines = sealed.streams.find((stored) => stored.name === stream.name)?.lines ?? 0;
    return { stream, projection: literalProjection(stream, lines, reason) };
  });
}

/** The archive has no room or is broken: what it cannot give back is not shortened. */
function refuse(message: ProjectMessage, context: Context, error: CavemanError): void {
  const { job, facts, view } = message;
  context.log.warn({ capture: facts.id, code: error.code, reason: error.message }, 'not archived');
  const streams = message.streams.map((stream) => ({
    stream,
    projection: literalProjection(stream, 0, 'not archived'),
  }));
  if (view.deliver) {
    const { stdout, stderr } = deliver(facts, view, null, streams);
    context.daemon.send({ type: 'projected', job, stdout, stderr, note: '' });
  }
  // The daemon knows whether the spool is the only copy now.
  context.daemon.send({ type: 'failed', job, reason: error.message });
}

function isArchiveTrouble(error: unknown): error is CavemanError {
  return (
    error instanceof CavemanError &&
    (error.code === 'archive-full' ||
      error.code === 'archive-unavailable' ||
      error.code === 'damaged-archive')
  );
}
