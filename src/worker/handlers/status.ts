import type { ArchiveStatus } from '../../archive/types.ts';
import { paths } from '../../runtime/paths.ts';
import type { Context } from '../context.ts';
import type { Handler } from './handler.ts';

/** Token sums are over this many newest captures. */
const SUMMED_CAPTURES = 1_000;

export const status: Handler<'status'> = async (_params, context) => {
  const daemon = await context.daemon.askStatus();
  return { daemon, workerPid: process.pid, archive: archiveStatus(context), tokens: tokenSums(context) };
};

/** A broken archive is news for `status`, not a reason to have none. */
function archiveStatus(context: Context): ArchiveStatus {
  const trouble = context.settingsTrouble;
  try {
    const known = context.archive().status();
    return { ...known, trouble: known.trouble || trouble };
  } catch (error) {
    const { maxBytes, maxAgeDays } = {
      maxBytes: context.settings.archive.max_bytes,
      maxAgeDays: context.settings.archive.max_age_days,
    };
    return {
      path: paths().archive,
      captures: 0,
      handles: 0,
      bytes: 0,
      maxBytes,
      maxAgeDays,
      pinned: 0,
      refused: 0,
      trouble: (error as Error).message,
    };
  }
}

function tokenSums(context: Context): { before: number; after: number; estimated: boolean } {
  const sums = { before: 0, after: 0, estimated: false };
  try {
    for (const { view } of context.archive().list({ limit: SUMMED_CAPTURES })) {
      if (view.tokensBefore === null || view.tokensAfter === null) continue;
      sums.before += view.tokensBefore;
      sums.after += view.tokensAfter;
      sums.estimated ||= view.tokensEstimated;
    }
  } catch {
    // Told by the archive's own status.
  }
  return sums;
}
