import type { Command } from 'commander';
import { ensure } from '../../client/start.ts';
import { normaliseHandle } from '../../protocol/handle.ts';
import { writeJson, writeOut } from '../output.ts';
import { type Call, example, type Verb } from '../verb.ts';

export const verb: Verb = {
  define(command: Command): void {
    command
      .argument('<handle>', 'a handle or the start of one')
      .option('--off', 'let it go when its time comes')
      .option('--json', 'as a JSON object');
    example(command, 'caveman pin cv7k3m2q4', 'caveman pin --off cv7k3m2q4');
  },
  async run({ args, options }: Call): Promise<number> {
    const client = await ensure();
    const result = await client.request('pin', {
      handle: normaliseHandle(args[0] ?? ''),
      pinned: !options['off'],
    });
    if (options['json']) writeJson(result);
    else writeOut(`${result.handle} ${result.pinned ? 'is pinned: it is never evicted' : 'is not pinned'}\n`);
    return 0;
  },
};
