import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { Command } from 'commander';
import { CavemanError } from '../../protocol/errors.ts';
import { writeErr } from '../output.ts';
import { type Call, example, type Verb } from '../verb.ts';

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;
/** Sent to us alone by a harness; INT and QUIT of a terminal reach the command by themselves. */
const FORWARDED = ['SIGTERM', 'SIGHUP'] as const;
const IGNORED = ['SIGINT', 'SIGQUIT'] as const;

/**
 * `run` comes here only when the launcher could not capture (no daemon, no free slot): the command runs untouched,
 * as it would without caveman.
 */
export const verb: Verb = {
  define(command: Command): void {
    command
      .argument('[command...]', 'the command and its arguments, after --')
      .option('-c <string>', 'run this string with your bash or zsh')
      .option('--raw', 'archive, but show the original')
      .option('--json', 'show one JSON object instead of text')
      .passThroughOptions();
    example(command, 'caveman run -- npm test', "caveman run -c 'make -j4 2>&1'");
  },
  async run({ args, options }: Call): Promise<number> {
    const script = options['c'];
    const [program, ...rest] = typeof script === 'string' ? [shell(), '-c', script, ...args] : args;
    if (program === undefined) {
      throw new CavemanError('bad-request', 'which command? try: caveman run -- npm test');
    }
    return await runUntouched(program, rest);
  },
};

/** The caller's own shell, where it is one that a hook knows; as the launcher does. */
function shell(): string {
  const own = process.env['SHELL'] ?? '';
  return /\/(bash|zsh)$/.test(own) ? own : 'bash';
}

function runUntouched(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  for (const signal of IGNORED) process.on(signal, () => {});
  return new Promise((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT';
      const why = missing
        ? 'command not found'
        : error.code === 'EACCES'
          ? 'permission denied'
          : error.message;
      writeErr(`caveman: ${program}: ${why}`);
      resolve(missing ? NOT_FOUND : NOT_EXECUTABLE);
    });
    child.on('exit', (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 125)));
  });
}
