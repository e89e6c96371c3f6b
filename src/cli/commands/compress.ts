import { createHash } from 'node:crypto';
import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import { ensure } from '../../client/start.ts';
import { DEFAULT_SETTINGS, readSettings } from '../../config/settings.ts';
import { CavemanError } from '../../protocol/errors.ts';
import { startTokenizer, type TokenCount } from '../../runtime/tokens/count.ts';
import { type Compression, compressInput } from '../compression.ts';
import { readInput } from '../input.ts';
import { exitStatus } from '../options.ts';
import { writeErr, writeOut } from '../output.ts';
import { failureOf } from '../render/errors.ts';
import { countHeld, countText } from '../token-counts.ts';
import { type Call, example, type Verb } from '../verb.ts';

interface Options {
  type?: 'terminal';
  command?: string;
  exit?: number;
  archive: boolean;
  quiet?: boolean;
}

/** What goes to stdout, and why it is the original when it is. */
interface Outcome {
  /** Null: the original. */
  text: Uint8Array | null;
  before: TokenCount;
  after: TokenCount;
  handle: string | null;
  reason: string;
}

/** `compress`: projection on stdout, one line of JSON on stderr. Whatever fails, stdout gets at least the original. */
export const verb: Verb = {
  define(command: Command): void {
    command
      .addOption(
        new Option('--type <type>', 'take the input as this, whatever it looks like').choices(['terminal']),
      )
      .option('--command <string>', 'the command that printed it')
      .option('--exit <status>', 'the exit status of that command', exitStatus)
      .option('--no-archive', 'keep no copy of the original')
      .option('--quiet', 'no report on stderr')
      .option('--json', 'the report is JSON with or without this');
    example(command, 'npm test 2>&1 | caveman compress', 'caveman compress < build.log 2> report.json');
  },
  async run(call: Call): Promise<number> {
    const options = call.options as unknown as Options;
    startTokenizer();
    const { maxTokens, problem } = budget();
    // The daemon may have to start: meanwhile the input is read.
    const client = options.archive ? connection(problem) : null;
    const done = await compressInput(readInput(), {
      type: options.type ?? null,
      command: options.command ?? '',
      exit: options.exit ?? null,
      maxTokens,
    });
    const outcome = await decide(done, client, options);
    if (outcome.text) writeOut(outcome.text);
    else for await (const chunk of done.input.replay()) writeOut(chunk);
    if (!options.quiet) writeErr(JSON.stringify(report(done, outcome)));
    done.input.close();
    return 0;
  },
};

type Connection = { client: Client } | { problem: string };

/** Never rejects: a missing archive is a reason to show the original, not a failure. */
async function connection(problem: string): Promise<Connection> {
  if (problem) return { problem };
  try {
    return { client: await ensure() };
  } catch (error) {
    return { problem: failureOf(error).message };
  }
}

/** A config file that cannot be read must not cost the input: the default budget, and no archive can be had. */
function budget(): { maxTokens: number; problem: string } {
  try {
    return { maxTokens: readSettings().view.max_tokens, problem: '' };
  } catch (error) {
    return { maxTokens: DEFAULT_SETTINGS.view.max_tokens, problem: failureOf(error).message };
  }
}

async function decide(
  done: Compression,
  client: Promise<Connection> | null,
  options: Options,
): Promise<Outcome> {
  const { projection, input } = done;
  const before = await countHeld(input);
  const original = (reason: string): Outcome => ({ text: null, before, after: before, handle: null, reason });
  if (input.bytes === 0) return original('empty');
  if (projection.text === null) return original(projection.reason || 'unchanged');
  const text = Buffer.from(projection.text);
  const after = await countText(text);
  if (after.tokens >= before.tokens) return original('not smaller');
  if (client === null) return { text, before, after, handle: null, reason: '' };
  // The original is safe before anything less than it is shown.
  try {
    const handle = await archive(await client, done, options);
    return { text, before, after, handle, reason: '' };
  } catch (error) {
    return original(`not archived: ${failureOf(error).message}`);
  }
}

async function archive(connected: Connection, done: Compression, options: Options): Promise<string> {
  if ('problem' in connected) throw new CavemanError('archive-unavailable', connected.problem);
  const stored = await connected.client.put(
    { command: options.command ?? '', exit: options.exit ?? null },
    done.input.replay(),
  );
  if (stored.sha256 !== done.sha256)
    throw new CavemanError('damaged-archive', 'the archive holds other bytes than were sent');
  return stored.handle;
}

/** Field names are those of the seed's report; `ratio` is the saved share. */
function report(
  done: Compression,
  { text, before, after, handle, reason }: Outcome,
): Record<string, unknown> {
  return {
    content_type: done.contentType,
    tokens_before: before.tokens,
    tokens_after: after.tokens,
    ratio: before.tokens === 0 ? 0 : 1 - after.tokens / before.tokens,
    basis: before.estimated || after.estimated ? 'estimated' : 'inferred',
    recovery_handle: handle,
    method: text ? done.projection.source : 'literal',
    sha256_input: done.sha256,
    sha256_output: text ? createHash('sha256').update(text).digest('hex') : done.sha256,
    ...(reason ? { reason } : {}),
  };
}
