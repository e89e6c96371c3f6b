import type { Command } from 'commander';
import { ensure } from '../../client/start.ts';
import { naturalNumber } from '../options.ts';
import { writeErr, writeJson, writeOut } from '../output.ts';
import { maskedRow, outcome } from '../render/capture.ts';
import { paintFor } from '../render/paint.ts';
import { oneLine } from '../render/plain.ts';
import { screenWidth } from '../render/screen-width.ts';
import { type Column, table } from '../render/table.ts';
import { age, bytes, count, duration, saved } from '../render/units.ts';
import { type Call, example, type Verb } from '../verb.ts';

const DEFAULT_LIMIT = 20;
const COLUMNS: readonly Column[] = [
  { title: 'HANDLE' },
  { title: 'AGE', align: 'right' },
  { title: 'EXIT' },
  { title: 'TIME', align: 'right' },
  { title: 'SIZE', align: 'right' },
  { title: 'LINES', align: 'right' },
  { title: 'SAVED', align: 'right' },
  { title: '' },
  { title: 'COMMAND' },
];

export const verb: Verb = {
  define(command: Command): void {
    command
      .option('-n, --limit <n>', `at most this many (default: ${DEFAULT_LIMIT})`, naturalNumber)
      .option('--session <id>', 'only captures of this session')
      .option('--json', 'as a JSON array');
    example(command, 'caveman list --limit 5');
  },
  async run({ options }: Call): Promise<number> {
    const client = await ensure();
    const session = options['session'];
    const { captures } = await client.request('list', {
      limit: (options['limit'] as number | undefined) ?? DEFAULT_LIMIT,
      ...(typeof session === 'string' ? { session } : {}),
    });
    const rows = captures.map(maskedRow);
    if (options['json']) {
      writeJson(rows);
      return 0;
    }
    if (rows.length === 0) {
      writeErr('nothing captured yet; try: caveman run -- ls -l /usr/bin');
      return 0;
    }
    const now = Date.now();
    const paint = paintFor(process.stdout);
    const cells = rows.map((row) => [
      row.handle,
      age(now - row.startedAtMs),
      outcome(row),
      duration(row.durationMs),
      bytes(row.bytes),
      row.linesAfter < row.linesBefore
        ? `${count(row.linesBefore)}→${count(row.linesAfter)}`
        : count(row.linesBefore),
      saved(row.tokensBefore, row.tokensAfter),
      row.pinned ? '*' : '',
      oneLine(row.command),
    ]);
    writeOut(table(COLUMNS, cells, screenWidth(), paint));
    return 0;
  },
};
