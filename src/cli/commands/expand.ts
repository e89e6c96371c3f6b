import { isatty } from 'node:tty';
import type { Command } from 'commander';
import type { Client, OnData } from '../../client/client.ts';
import { connect } from '../../client/connect.ts';
import { ensure } from '../../client/start.ts';
import { CavemanError } from '../../protocol/errors.ts';
import { type ExpandArgs, parseExpandArgs } from '../../protocol/expand-args.ts';
import { normaliseHandle } from '../../protocol/handle.ts';
import type { ResultOf } from '../../protocol/requests.ts';
import { writeErr, writeJson, writeOut } from '../output.ts';
import { OutputFile } from '../output-file.ts';
import { bytes } from '../render/units.ts';
import { type Call, example, type Verb } from '../verb.ts';

const STDOUT = 1;
/** `--json` holds the bytes in one string; longer ones belong into a file. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;

const OPTIONS = `
Which part (lines are those of the cleaned text, from 1):
  --lines A:B           lines A to B
  --head N, --tail N    the first or last N lines
  --grep RE [-C N]      lines that match, with N lines around each
  --gap K               what the K-th "lines elided" marker hides
  --view                the text as it was shown
  --stream NAME         stdout (default), stderr or late

How:
  -o FILE               exact bytes into FILE (mode 0600)
  --raw                 exact bytes on a terminal too, where controls are else shown visibly
  --json                one JSON object`;

/** `expand`: byte for byte, or a part of the cleaned text. The arguments are read by the parser that the worker uses too. */
export const verb: Verb = {
  define(command: Command): void {
    command
      .usage('HANDLE [options]')
      .argument('[handle]', 'a handle or the start of one')
      .allowUnknownOption()
      .allowExcessArguments()
      .addHelpText('after', OPTIONS);
    example(command, 'caveman expand cv7k3m2q4 --grep error -C 2');
  },
  async run({ raw }: Call): Promise<number> {
    const wanted = parseExpandArgs(raw);
    const target = wanted.output === null ? null : OutputFile.open(wanted.output);
    try {
      const result = await (wanted.json && !target ? asJson(wanted) : asBytes(wanted, target));
      target?.commit();
      if (wanted.json && target) writeJson({ ...result, file: wanted.output });
      else if (result.note) writeErr(`caveman: ${result.note}`);
      return 0;
    } finally {
      target?.discard();
    }
  },
};

function asBytes(wanted: ExpandArgs, target: OutputFile | null): Promise<ResultOf<'expand'>> {
  const visible = target === null && !wanted.raw && isatty(STDOUT);
  return request(wanted, visible, target ? (chunk) => target.write(chunk) : writeOut);
}

async function asJson(wanted: ExpandArgs): Promise<ResultOf<'expand'>> {
  const chunks: Uint8Array[] = [];
  let held = 0;
  const result = await request(wanted, false, (chunk) => {
    held += chunk.length;
    if (held > MAX_JSON_BYTES) {
      const limit = bytes(MAX_JSON_BYTES);
      throw new CavemanError('too-large', `over ${limit} do not go into one JSON object; use -o FILE`);
    }
    chunks.push(chunk);
  });
  writeJson({ ...result, ...encoded(Buffer.concat(chunks)) });
  return { ...result, note: null };
}

/** UTF-8 text as it is; other bytes in base64, so that nothing is lost. */
function encoded(data: Buffer): { encoding: 'utf8' | 'base64'; data: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(data);
    return { encoding: 'utf8', data: text };
  } catch {
    return { encoding: 'base64', data: data.toString('base64') };
  }
}

async function request(wanted: ExpandArgs, visible: boolean, onData: OnData): Promise<ResultOf<'expand'>> {
  const client = await reach();
  const select = visible ? { ...wanted.select, visible } : wanted.select;
  return await client.expand({ handle: normaliseHandle(wanted.handle), select }, onData);
}

/**
 * The launcher has asked the worker already when it leaves an error here: the daemon runs, and where its socket
 * cannot be reached (a sandbox), that answer stands.
 */
async function reach(): Promise<Client> {
  const answered = process.env['CAVEMAN_EXPAND_ERROR'];
  if (!answered) return await ensure();
  return await connect().catch(() => {
    throw new CavemanError('unknown-handle', answered);
  });
}
