import { Command, CommanderError } from 'commander';
import { VERSION } from '../protocol/version.ts';
import { writeErr, writeOut } from './output.ts';
import { EXIT, failureOf } from './render/errors.ts';
import { VERBS } from './verbs.ts';

/**
 * Runs one verb and resolves to the exit code; never throws. `argv` is what follows `caveman`. Only the called
 * verb's module is loaded.
 */
export async function dispatch(argv: readonly string[]): Promise<number> {
  try {
    return await call(argv);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const failure = failureOf(error);
    if (failure.message !== '') writeErr(`caveman: ${failure.message}`);
    return failure.exit;
  }
}

async function call(argv: readonly string[]): Promise<number> {
  let exit: number = EXIT.ok;
  const program = new Command('caveman')
    .description('Keeps every byte that commands print, and shows coding agents a fraction of it.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [verb]', 'help for one verb')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut,
      writeErr: writeOut,
      outputError: (text) => writeErr(usageLine(text, called?.name)),
    });
  program.addHelpText('after', '\nExample:\n  caveman run -- npm test\n  caveman expand cv7k3m2q4');
  const named = argv[0] === 'help' ? argv[1] : argv[0];
  const called = VERBS.find(
    (entry) => named !== undefined && (named === entry.name || named === entry.alias),
  );
  for (const entry of VERBS) {
    const command = program.command(entry.name).summary(entry.summary).description(entry.summary);
    if (entry.alias) command.alias(entry.alias);
    if (entry !== called) continue;
    const { verb } = await entry.load();
    verb.define(command);
    command.action(async () => {
      exit = await verb.run({ args: command.args, options: command.opts(), raw: argv.slice(1) });
    });
  }
  if (argv.length === 0) {
    writeOut(program.helpInformation());
    return EXIT.usage;
  }
  await program.parseAsync(argv, { from: 'user' });
  return exit;
}

/** Commander's message as one line of ours: what was wrong, a near match, where to read more. */
function usageLine(text: string, verb: string | undefined): string {
  const [first = '', ...rest] = text.trim().split('\n');
  const what = first
    .replace(/^error: /, '')
    .replace(/^unknown command/, 'unknown verb')
    .replace(
      /^command-argument value ('.*') is invalid for argument '(.*?)'\. Allowed choices are (.*)\.$/,
      '$1 is no $2: $3',
    )
    .replace(
      /^(option '.*?') argument ('.*') is invalid\. (?:Allowed choices are )?(.*?)\.?$/,
      '$1: not $2: $3',
    );
  const near = rest.find((line) => line.startsWith('(Did you mean')) ?? '';
  return `caveman: ${what}${near ? ` ${near.replace('D', 'd')}` : ''}; see: caveman ${verb ? `${verb} ` : ''}--help`;
}
