import type { Command } from 'commander';
import { runInstaller } from '../installer.ts';
import { type Call, example, type Verb } from '../verb.ts';

export const verb: Verb = {
  define(command: Command): void {
    command
      .option('--trial', 'try it all under a temporary home, then remove it')
      .allowExcessArguments(false);
    example(command, 'caveman install');
  },
  async run({ raw }: Call): Promise<number> {
    return await runInstaller(raw);
  },
};
