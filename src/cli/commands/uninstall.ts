import type { Command } from 'commander';
import { runInstaller } from '../installer.ts';
import { type Call, example, type Verb } from '../verb.ts';

export const verb: Verb = {
  define(command: Command): void {
    command.option('--purge', 'remove the archive too').allowExcessArguments(false);
    example(command, 'caveman uninstall');
  },
  async run({ raw }: Call): Promise<number> {
    return await runInstaller(['--uninstall', ...raw]);
  },
};
