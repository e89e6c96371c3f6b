import type { Command } from 'commander';
import { connect } from '../../client/connect.ts';
import { CavemanError } from '../../protocol/errors.ts';
import type { ResultOf } from '../../protocol/requests.ts';
import { writeJson, writeOut } from '../output.ts';
import { EXIT } from '../render/errors.ts';
import { paintFor } from '../render/paint.ts';
import { renderStatus } from '../render/status.ts';
import { facts } from '../render/table.ts';
import { type Call, example, type Verb } from '../verb.ts';

/** The only daemon verb that starts nothing: it tells what is. Exit 1 when no daemon runs. */
export const verb: Verb = {
  define(command: Command): void {
    command.option('--json', 'as a JSON object');
    example(command, 'caveman status');
  },
  async run({ options }: Call): Promise<number> {
    const paint = paintFor(process.stdout);
    let status: ResultOf<'status'>;
    try {
      status = await (await connect()).request('status', {});
    } catch (error) {
      if (!(error instanceof CavemanError) || error.code !== 'daemon-down') throw error;
      if (options['json']) writeJson({ daemon: null });
      else
        writeOut(
          facts([['daemon', `${paint('yellow', 'not running')}; start it: caveman daemon start`]], paint),
        );
      return EXIT.negative;
    }
    if (options['json']) writeJson(status);
    else writeOut(renderStatus(status, Date.now(), paint));
    return EXIT.ok;
  },
};
