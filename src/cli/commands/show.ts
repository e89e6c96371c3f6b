import type { Command } from 'commander';
import { ensure } from '../../client/start.ts';
import { normaliseHandle } from '../../protocol/handle.ts';
import type { CaptureRow } from '../../protocol/requests.ts';
import { writeJson, writeOut } from '../output.ts';
import { maskedRow, outcome, tokenLine } from '../render/capture.ts';
import { type Paint, paintFor } from '../render/paint.ts';
import { oneLine } from '../render/plain.ts';
import { screenWidth } from '../render/screen-width.ts';
import { facts, table } from '../render/table.ts';
import { age, bytes, count, duration } from '../render/units.ts';
import { type Call, example, type Verb } from '../verb.ts';

export const verb: Verb = {
  define(command: Command): void {
    command.argument('<handle>', 'a handle or the start of one').option('--json', 'as a JSON object');
    example(command, 'caveman show cv7k3m2q4');
  },
  async run({ args, options }: Call): Promise<number> {
    const client = await ensure();
    const shown = await client.request('show', { handle: normaliseHandle(args[0] ?? '') });
    const captures = shown.captures.map(maskedRow);
    if (options['json']) {
      writeJson({ ...shown, captures });
      return 0;
    }
    const paint = paintFor(process.stdout);
    const streams = shown.streams.map((s) => [s.name, bytes(s.bytes), count(s.lines), s.sha256]);
    const parts = [
      `${paint('bold', shown.handle)}\n`,
      table(
        [
          { title: 'STREAM' },
          { title: 'SIZE', align: 'right' },
          { title: 'LINES', align: 'right' },
          { title: 'SHA-256' },
        ],
        streams,
        Math.max(screenWidth(), 100),
        paint,
      ),
      ...captures.map((row) => describe(row, paint)),
    ];
    writeOut(parts.join('\n'));
    return 0;
  },
};

function describe(row: CaptureRow, paint: Paint): string {
  const lines =
    row.linesAfter < row.linesBefore
      ? `${count(row.linesBefore)} → ${count(row.linesAfter)}`
      : count(row.linesBefore);
  return facts(
    [
      ['command', oneLine(row.command)],
      ['directory', oneLine(row.cwd)],
      ['exit', outcome(row)],
      ['started', `${new Date(row.startedAtMs).toISOString()} (${age(Date.now() - row.startedAtMs)} ago)`],
      ['took', duration(row.durationMs)],
      ['lines', lines],
      ['tokens', tokenLine(row.tokensBefore, row.tokensAfter, row.tokensEstimated)],
      ['shown as', row.reason ? `${row.source}: ${row.reason}` : row.source],
      ['agent', oneLine(row.agent)],
      ['session', oneLine(row.session)],
      ['taken by', row.mode],
      ['flags', [...row.flags, ...(row.pinned ? ['pinned'] : [])].join(', ')],
      ['capture', row.id],
    ],
    paint,
  );
}
