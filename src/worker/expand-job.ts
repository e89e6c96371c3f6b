import { CavemanError } from '../protocol/errors.ts';
import { type ExpandArgs, parseExpandArgs } from '../protocol/expand-args.ts';
import { isHandle, normaliseHandle } from '../protocol/handle.ts';
import type { DaemonMessage } from '../protocol/jobs.ts';
import { HEADER, inlineText, noteHeader } from '../protocol/rendezvous.ts';
import type { Context } from './context.ts';
import type { MissLimit } from './miss-limit.ts';
import { ReplyFifo } from './reply-fifo.ts';
import { type Selected, selected } from './selected.ts';

type ExpandMessage = Extract<DaemonMessage, { type: 'expand' }>;

const EXIT_NO = 1;
const EXIT_USAGE = 2;
const EXIT_OWN_FAILURE = 125;

/**
 * `expand` for a client without Node: the answer goes into its reply FIFO. Requests may come from a sandbox, so only
 * full, issued handles are answered, and misses are limited. A reader that leaves ends the job.
 */
export async function expandJob(
  message: ExpandMessage,
  context: Context,
  misses: MissLimit,
  signal: AbortSignal,
): Promise<void> {
  const { job, args, tty, replyPath } = message;
  const reply = new ReplyFifo(replyPath);
  context.daemon.send({ type: 'replyOpened', job });
  try {
    await answer(reply, args, tty, context, misses, signal);
  } catch (error) {
    if (!(error instanceof CavemanError) || error.code !== 'cancelled') throw error;
  } finally {
    await reply.close();
  }
  context.daemon.send({ type: 'expanded', job });
}

async function answer(
  reply: ReplyFifo,
  args: string[],
  tty: boolean,
  context: Context,
  misses: MissLimit,
  signal: AbortSignal,
): Promise<void> {
  let asked: ExpandArgs;
  try {
    asked = parseExpandArgs(args);
  } catch (error) {
    await reply.fail(EXIT_USAGE, line(error));
    return;
  }
  let part: Selected;
  try {
    part = find(asked, tty, context, misses);
  } catch (error) {
    if (!(error instanceof CavemanError)) context.log.error({ err: error }, 'expand failed');
    await reply.fail(exitOf(error), line(error));
    return;
  }
  let started = false;
  // The next piece is read and checked while the reader takes the one before it.
  let sent = Promise.resolve();
  try {
    for await (const piece of framed(part)) {
      await sent;
      if (signal.aborted) return;
      started = true;
      sent = reply.write(piece);
      // Awaited above: until then a reader that left is no unhandled failure.
      sent.catch(() => {});
    }
    await sent;
  } catch (error) {
    if (started || (error instanceof CavemanError && error.code === 'cancelled')) {
      context.log.warn({ reason: (error as Error).message }, 'expand ended early');
      return;
    }
    await reply.fail(exitOf(error), line(error));
    return;
  }
  await context.archive().markShown(part.handle, Date.now());
}

/**
 * Header lines and output. Nothing comes before the first chunk is there: an error until then can still be told. A
 * whole stream of one short chunk goes inline: the launcher prints it without starting `cat`.
 */
async function* framed(part: Selected): AsyncGenerator<Uint8Array | string> {
  let first = true;
  let short: Uint8Array | null = null;
  for await (const chunk of part.chunks) {
    if (first && part.note) yield noteHeader(part.note);
    if (first && part.sha256 !== null && inlineText('T', chunk)) short = chunk;
    else {
      if (first || short) yield HEADER.copy;
      if (short) yield short;
      short = null;
      yield chunk;
    }
    first = false;
  }
  const inline = short && inlineText('T', short);
  if (inline) yield Buffer.concat([inline, Buffer.from(HEADER.end)]);
  else if (first) yield HEADER.copy;
}

function find(asked: ExpandArgs, tty: boolean, context: Context, misses: MissLimit): Selected {
  if (asked.json)
    throw new CavemanError('bad-request', "--json needs the daemon's socket, which is not reachable here");
  const wait = misses.secondsToWait();
  if (wait > 0) {
    throw new CavemanError('busy', `too many unknown handles; try again in ${wait} s, or see: caveman list`);
  }
  const handle = normaliseHandle(asked.handle);
  const archive = context.archive();
  try {
    if (!isHandle(handle)) {
      throw new CavemanError(
        'unknown-handle',
        `${shorten(asked.handle)} is not a full handle; see: caveman list`,
      );
    }
    archive.resolve(handle, { prefix: false });
  } catch (error) {
    if (error instanceof CavemanError && error.code === 'unknown-handle') misses.miss();
    throw error;
  }
  const visible = tty && !asked.raw && asked.output === null;
  return selected(archive, handle, visible ? { ...asked.select, visible } : asked.select, context.turnstile);
}

function exitOf(error: unknown): number {
  if (!(error instanceof CavemanError)) return EXIT_OWN_FAILURE;
  switch (error.code) {
    case 'unknown-handle':
    case 'ambiguous-handle':
    case 'forgotten-handle':
    case 'busy':
    case 'bad-request':
      return EXIT_NO;
    default:
      return EXIT_OWN_FAILURE;
  }
}

function line(error: unknown): string {
  const text = error instanceof CavemanError ? error.message : 'caveman failed; see: caveman daemon logs';
  const best = error instanceof CavemanError ? error.suggestions[0] : undefined;
  return `caveman: ${text}${best ? ` (did you mean ${best}?)` : ''}`;
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}
