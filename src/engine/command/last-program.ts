import { openCommand } from './agent-forms.ts';

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
/** Words that run the program after them. */
const PREFIXES = new Set([
  'command',
  'exec',
  'builtin',
  'time',
  'nice',
  'nohup',
  'env',
  'sudo',
  '{',
  '!',
  'then',
  'do',
]);
/** Without output of their own: the program before them is the one that printed. */
const SILENT = new Set([
  'cd',
  'true',
  ':',
  'set',
  'shopt',
  'export',
  'trap',
  'exit',
  'source',
  '.',
  '}',
  'fi',
  'done',
]);

/**
 * Words of the last program of each pipeline that prints, in order: names first, assignments and prefixes dropped.
 * Null when the string is not understood: no rule may lean on a guess.
 */
export function printingPrograms(command: string, argument: string): string[][] | null {
  const commands = openCommand(command, argument);
  if (!commands) return null;
  const programs: string[][] = [];
  for (const { words, operator } of commands) {
    if (operator === '|' || operator === '|&') continue;
    const program = programWords(words);
    if (program.length > 0 && !SILENT.has(program[0]!)) programs.push(program);
  }
  return programs.length > 0 ? programs : null;
}

/** The program whose output a command string ends with; null when the string is not understood. */
export function lastProgram(command: string, argument: string): string[] | null {
  return printingPrograms(command, argument)?.at(-1) ?? null;
}

function programWords(words: readonly string[]): string[] {
  let i = 0;
  while (i < words.length && (ASSIGNMENT.test(words[i]!) || PREFIXES.has(words[i]!))) i++;
  return words.slice(i);
}
