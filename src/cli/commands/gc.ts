import type { Command } from 'commander';
import { ensure } from '../../client/start.ts';
import { writeJson, writeOut } from '../output.ts';
import { bytes, plural } from '../render/units.ts';
import { type Call, example, type Verb } from '../verb.ts';

export const verb: Verb = {
  define(command: Command): void {
    command.option('--json', 'as a JSON object');
    example(command, 'caveman gc');
  },
  async run({ options }: Call): Promise<number> {
    const client = await ensure();
    const result = await client.request('gc', {});
    if (options['json']) writeJson(result);
    else if (result.captures + result.blobs === 0) writeOut('nothing to free\n');
    else {
      const what = `${plural(result.captures, 'capture')} and ${plural(result.blobs, 'blob')}`;
      writeOut(`${what} removed, ${bytes(result.freedBytes)} freed\n`);
    }
    return 0;
  },
};
