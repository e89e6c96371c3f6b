import type { CaptureRow } from '../../protocol/requests.ts';
import { maskSecrets } from './mask.ts';
import { count, saved } from './units.ts';

/** The row as it may be shown: its command without obvious secrets. */
export function maskedRow(row: CaptureRow): CaptureRow {
  return { ...row, command: maskSecrets(row.command) };
}

/** How the command ended, short: `0`, `3`, `TERM`, `?` when nobody saw it. */
export function outcome(row: Pick<CaptureRow, 'exit' | 'signal'>): string {
  if (row.signal) return row.signal.replace(/^SIG/, '');
  return row.exit === null ? '?' : String(row.exit);
}

/** `3,880 → 109 tokens (97 % saved)`; what is estimated has a `~`. */
export function tokenLine(before: number | null, after: number | null, estimated: boolean): string {
  if (before === null || after === null) return 'not counted yet';
  const about = estimated ? '~' : '';
  const share = saved(before, after);
  return `${about}${count(before)} → ${about}${count(after)}${share ? ` (${share} saved)` : ''}`;
}
