import type { ResultOf } from '../../protocol/requests.ts';
import { VERSION } from '../../protocol/version.ts';
import { tokenLine } from './capture.ts';
import type { Paint } from './paint.ts';
import { oneLine } from './plain.ts';
import { facts } from './table.ts';
import { bytes, count, duration, plural } from './units.ts';

/** Daemon, archive and savings as aligned lines. */
export function renderStatus(
  { daemon, workerPid, archive, tokens }: ResultOf<'status'>,
  nowMs: number,
  paint: Paint,
): string {
  const old = daemon.version === VERSION ? '' : ` (this is ${VERSION}: caveman daemon restart)`;
  return facts(
    [
      ['daemon', `${paint('green', 'running')}, pid ${daemon.pid}, ${daemon.version}${old}`],
      ['up for', duration(nowMs - daemon.startedAtMs)],
      ['captures', `${count(daemon.servedCaptures)} served, ${count(daemon.runningCaptures)} running`],
      ['free slots', count(daemon.freeTickets)],
      [
        'worker',
        `pid ${workerPid}${daemon.workerRestarts ? `, ${plural(daemon.workerRestarts, 'restart')}` : ''}`,
      ],
      ['pty', daemon.ptyPackage || 'none: output is taken through pipes'],
      [
        'archive',
        `${bytes(archive.bytes)} of ${bytes(archive.maxBytes)}, ${plural(archive.captures, 'capture')}`,
      ],
      [
        'kept for',
        `${count(archive.maxAgeDays)} days${archive.pinned ? `, ${count(archive.pinned)} pinned` : ''}`,
      ],
      ['refused', archive.refused ? `${plural(archive.refused, 'capture')} for want of room` : ''],
      ['trouble', archive.trouble ? paint('red', oneLine(archive.trouble)) : ''],
      ['tokens', tokenLine(tokens.before, tokens.after, tokens.estimated)],
      ['at', oneLine(archive.path)],
    ],
    paint,
  );
}
