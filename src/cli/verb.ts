import type { Command } from 'commander';

/** What one call of a verb was given. */
export interface Call {
  /** Positional arguments, in order; a variadic one is spread. */
  args: readonly string[];
  /** Options by their camel-case name. */
  options: Readonly<Record<string, unknown>>;
  /** Everything after the verb, unread. */
  raw: readonly string[];
}

/** A verb: what it accepts, and what it does. Each file of commands/ exports one as `verb`. */
export interface Verb {
  /** Adds arguments, options and an example to the verb's commander command. */
  define(command: Command): void;
  /** Resolves to the exit code. Throws CavemanError for what a person can put right. */
  run(call: Call): Promise<number>;
}

/** The example at the end of `--help`. */
export function example(command: Command, ...lines: string[]): void {
  command.addHelpText('after', `\nExample:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}
