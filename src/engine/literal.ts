import { printingPrograms } from './command/last-program.ts';
import type { ProjectOptions } from './types.ts';

/** A saving must be at least this many tokens, and this share of the cleaned text. */
export const MIN_SAVED_TOKENS = 60;
export const MIN_SAVED_SHARE = 0.2;
/** Estimated tokens up to which these pass uncut. */
export const FILE_READ_TOKENS = 2000;
export const STRUCTURED_TOKENS = 6000;
export const STDERR_TOKENS = 1000;

const FILE_READERS = new Set(['cat', 'head', 'tail', 'sed', 'awk', 'nl', 'bat', 'batcat', 'jq']);

/** The reason to show the original whatever it is, or null. */
export function literalByRequest(options: ProjectOptions): string | null {
  if (options.literal !== null) return options.literal;
  return /CAVEMAN=raw\b/.test(options.command) || /CAVEMAN=raw\b/.test(options.argument) ? 'raw' : null;
}

/** Between file reads these only print a heading. */
const HEADINGS = new Set(['echo', 'printf']);

/**
 * True when the command ends with a program that reads files: every line is content then. Not when another program
 * printed before it (`make; cat log`): its failures must not fall into the cut.
 */
export function isFileRead(options: ProjectOptions): boolean {
  const programs = printingPrograms(options.command, options.argument);
  if (!programs || !readsFile(programs.at(-1)!)) return false;
  return programs.every((words) => HEADINGS.has(words[0]!) || readsFile(words));
}

function readsFile(words: readonly string[]): boolean {
  const name = words[0]!.slice(words[0]!.lastIndexOf('/') + 1);
  if (FILE_READERS.has(name)) return true;
  const rest = words.slice(1).filter((word) => !word.startsWith('-'));
  return name === 'git' && rest[0] === 'show' && rest.slice(1).some((word) => /^[^:]+:./.test(word));
}

/** Name of the structured form that a cleaned text has, or null. Linear; JSON is parsed, so callers bound the size. */
export function structuredForm(text: string): 'patch' | 'json' | null {
  if (isPatch(text)) return 'patch';
  return isJson(text) ? 'json' : null;
}

const HUNK = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m;
const FILE_HEADER = /^(?:diff --git |--- )/m;
const PATCH_LINE =
  /^(?:[ +\-@\\]|diff |index |new file|deleted file|similarity|rename |old mode|new mode|Binary |commit |Author:|Date:|$)/;
/** Share of lines that must look like a patch. */
const PATCH_SHARE = 0.8;

function isPatch(text: string): boolean {
  if (!HUNK.test(text) || !FILE_HEADER.test(text) || !/^\+\+\+ /m.test(text)) return false;
  const lines = text.split('\n');
  return lines.filter((line) => PATCH_LINE.test(line)).length >= lines.length * PATCH_SHARE;
}

/** One JSON object or array, or one to a line (at least two lines). */
function isJson(text: string): boolean {
  const trimmed = text.trim();
  if (!startsJson(trimmed)) return false;
  if (parses(trimmed)) return true;
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => startsJson(line.trim()) && parses(line));
}

function startsJson(text: string): boolean {
  return text.startsWith('{') || text.startsWith('[');
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
