import { STREAM_NAMES, type StreamName } from './capture.ts';
import { CavemanError } from './errors.ts';
import type { Selection } from './requests.ts';

/** What `caveman expand` was asked for. */
export interface ExpandArgs {
  handle: string;
  select: Selection;
  /** Exact bytes even on a terminal. */
  raw: boolean;
  json: boolean;
  /** `-o FILE`: where the caller wants the bytes; null for stdout. */
  output: string | null;
}

const USAGE = 'try: caveman expand HANDLE --lines 10:20 (caveman expand --help)';

/**
 * Reads the arguments after the verb. `--name value` and `--name=value` are the same; `--` ends the options.
 * Throws `bad-request` with one line. `select.visible` is left to the caller, who knows about the terminal.
 */
export function parseExpandArgs(args: readonly string[]): ExpandArgs {
  const out: ExpandArgs = { handle: '', select: {}, raw: false, json: false, output: null };
  const handles: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      handles.push(...args.slice(i + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      handles.push(arg);
      continue;
    }
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const value = (): string => {
      if (equals >= 0) return arg.slice(equals + 1);
      const next = args[++i];
      if (next === undefined) throw usage(`${name} needs a value`);
      return next;
    };
    if (isFlag(name) && equals >= 0) throw usage(`${name} takes no value`);
    option(out, name, value);
  }
  if (handles.length === 0) throw usage('which handle?');
  if (handles.length > 1) throw usage(`one handle at a time, not ${handles.length}`);
  out.handle = handles[0] ?? '';
  if (out.handle.length < 1 || out.handle.length > 64) throw usage('a handle has 1 to 64 characters');
  checkCombination(out.select);
  return out;
}

function isFlag(name: string): boolean {
  return name === '--view' || name === '--raw' || name === '--json';
}

function option(out: ExpandArgs, name: string, value: () => string): void {
  const select = out.select;
  switch (name) {
    case '--lines':
      select.lines = range(value());
      return;
    case '--head':
    case '--tail':
      select[name === '--head' ? 'head' : 'tail'] = whole(name, value(), 0);
      return;
    case '--grep': {
      const pattern = value();
      if (pattern.length > 1000) throw usage('--grep takes at most 1,000 characters');
      select.grep = pattern;
      return;
    }
    case '-C':
    case '--context': {
      select.context = whole(name, value(), 0);
      if (select.context > 1000) throw usage(`${name} takes at most 1000`);
      return;
    }
    case '--gap':
      select.gap = whole(name, value(), 1);
      return;
    case '--stream':
      select.stream = streamName(value());
      return;
    case '-o':
    case '--output':
      out.output = value();
      return;
    case '--view':
      select.view = true;
      return;
    case '--raw':
      out.raw = true;
      return;
    case '--json':
      out.json = true;
      return;
    default:
      throw usage(`unknown option ${JSON.stringify(name)}`);
  }
}

function checkCombination(select: Selection): void {
  const ways = [
    select.lines && '--lines',
    select.head !== undefined && '--head',
    select.tail !== undefined && '--tail',
    select.grep !== undefined && '--grep',
    select.gap && '--gap',
    select.view && '--view',
  ].filter((way) => typeof way === 'string');
  if (ways.length > 1) throw usage(`${ways.join(' and ')} do not go together`);
  if (select.context !== undefined && select.grep === undefined) throw usage('-C goes with --grep');
  if (select.view && select.stream) throw usage('--view and --stream do not go together');
}

function range(text: string): [number, number] {
  const match = /^(\d{1,15}):(\d{1,15})$/.exec(text);
  const from = Number(match?.[1] ?? 0);
  const to = Number(match?.[2] ?? 0);
  if (from < 1 || to < from) throw usage('--lines takes A:B, lines from 1, A not after B');
  return [from, to];
}

function whole(name: string, text: string, least: number): number {
  if (!/^\d{1,15}$/.test(text) || Number(text) < least) throw usage(`${name} takes a number from ${least}`);
  return Number(text);
}

function streamName(text: string): StreamName {
  const name = STREAM_NAMES.find((known) => known === text);
  if (!name) throw usage(`--stream takes ${STREAM_NAMES.join(', ')}`);
  return name;
}

function usage(what: string): CavemanError {
  return new CavemanError('bad-request', `${what}; ${USAGE}`);
}
