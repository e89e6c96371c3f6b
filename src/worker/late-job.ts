import type { DaemonMessage } from '../protocol/jobs.ts';
import type { Context } from './context.ts';
import { spoolChunks } from './spool.ts';

type LateMessage = Extract<DaemonMessage, { type: 'late' }>;

/** Archives what background children printed after their command had ended. */
export async function lateJob(message: LateMessage, context: Context, signal: AbortSignal): Promise<void> {
  const { job, captureId, stream } = message;
  await context.archive().addLate(captureId, spoolChunks(stream, context.turnstile, signal));
  context.daemon.send({ type: 'stored', job });
}
