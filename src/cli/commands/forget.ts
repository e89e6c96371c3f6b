import type { Command } from 'commander';
import { ensure } from '../../client/start.ts';
import { normaliseHandle } from '../../protocol/handle.ts';
import { writeJson, writeOut } from '../output.ts';
import { bytes, plural } from '../render/units.ts';
import { type Call, example, type Verb } from '../verb.ts';

export const verb: Verb = {
  define(command: Command): void {
    command.argument('<handle>', 'a handle or the start of one').option('--json', 'as a JSON object');
    example(command, 'caveman forget cv7k3m2q4');
  },
  async run({ args, options }: Call): Promise<number> {
    const client = await ensure();
    const result = await client.request('forget', { handle: normaliseHandle(args[0] ?? '') });
    if (options['json']) writeJson(result);
    else {
      writeOut(
        `${result.handle} is gone: ${plural(result.captures, 'capture')}, ${bytes(result.freedBytes)} freed\n`,
      );
    }
    return 0;
  },
};
