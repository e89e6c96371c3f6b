import { Argument, type Command } from 'commander';
import { probe } from '../../client/probe.ts';
import { startDaemon } from '../../client/start.ts';
import { stopDaemon } from '../daemon-stop.ts';
import { followLogs, lastLogLines } from '../logs.ts';
import { naturalNumber } from '../options.ts';
import { writeErr, writeJson, writeOut } from '../output.ts';
import { EXIT } from '../render/errors.ts';
import { paintFor } from '../render/paint.ts';
import { type Call, example, type Verb } from '../verb.ts';

const ACTIONS = ['start', 'stop', 'restart', 'status', 'logs'] as const;
type Action = (typeof ACTIONS)[number];
const DEFAULT_LOG_LINES = 50;

export const verb: Verb = {
  define(command: Command): void {
    command
      .addArgument(new Argument('<action>', 'what to do').choices(ACTIONS))
      .option('-n <lines>', `logs: this many lines (default: ${DEFAULT_LOG_LINES})`, naturalNumber)
      .option('-f, --follow', 'logs: go on as lines come')
      .option('-q, --quiet', 'say nothing, answer by the exit status')
      .option('--json', 'as JSON');
    example(command, 'caveman daemon restart', 'caveman daemon logs -n 100 -f');
  },
  async run({ args, options }: Call): Promise<number> {
    const json = options['json'] === true;
    const tell = (result: keyof typeof SENTENCES): number => {
      if (!options['quiet']) say(json, result);
      return EXIT.ok;
    };
    switch (args[0] as Action) {
      case 'start':
        return tell(await startDaemon());
      case 'stop':
        return tell(await stopDaemon());
      case 'restart':
        await stopDaemon();
        await startDaemon();
        return tell('restarted');
      case 'status':
        return await tellState(json, options['quiet'] === true);
      case 'logs':
        return await showLogs(json, (options['n'] as number | undefined) ?? DEFAULT_LOG_LINES, options);
    }
  },
};

const SENTENCES = {
  started: 'the daemon is running',
  'already-up': 'the daemon was running already',
  stopped: 'the daemon has stopped',
  'already-down': 'the daemon was not running',
  restarted: 'the daemon is running anew',
} as const;

function say(json: boolean, result: keyof typeof SENTENCES): void {
  if (json) writeJson({ daemon: result });
  else writeOut(`${SENTENCES[result]}\n`);
}

/** Exit 0 only for a daemon that answers. Starts nothing. */
async function tellState(json: boolean, quiet: boolean): Promise<number> {
  const { state, problem } = await probe();
  if (quiet) return state === 'up' ? EXIT.ok : EXIT.negative;
  if (json) writeJson({ daemon: state, ...(problem ? { problem } : {}) });
  else writeOut(`${state === 'up' ? SENTENCES.started : problem}\n`);
  return state === 'up' ? EXIT.ok : EXIT.negative;
}

async function showLogs(json: boolean, lines: number, options: Call['options']): Promise<number> {
  const paint = paintFor(process.stdout);
  const last = lastLogLines(lines);
  for (const line of last.lines) writeOut(`${json ? line.json : line.render(paint)}\n`);
  if (options['follow'])
    await followLogs(last.ends, (line) => writeOut(`${json ? line.json : line.render(paint)}\n`));
  else if (last.lines.length === 0) writeErr('no log yet');
  return EXIT.ok;
}
