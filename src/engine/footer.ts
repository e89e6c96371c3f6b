import type { Ending } from '../protocol/capture.ts';
import type { Projection } from './types.ts';

/** Signals by number on Linux; those that end a command and are the same on macOS, apart from BUS and the user ones. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
  24: 'SIGXCPU',
};

/** `SIGTERM` for 15; null for a number that is not one of the signals that end commands. */
export function signalName(number: number): string | null {
  return SIGNALS[number] ?? null;
}

export interface FooterFacts extends Ending {
  /** Full handle of the capture; '' when it could not be archived. */
  handle: string;
  /** What to type: `caveman`, or the launcher's absolute path. */
  launcher: string;
}

/**
 * The one line after a projection, without line end; '' when there is nothing to say. Elided text gets line counts,
 * an ending other than 0 and the way back; whole text gets a line only for a death by signal or an unseen end.
 */
export function footer(projection: Projection, facts: FooterFacts): string {
  const end = ending(facts);
  if (projection.source !== 'terminal')
    return end.startsWith('exit ') && !end.includes('(') ? '' : bracket(end);
  const counts = `${projection.linesBefore}→${projection.linesAfter} lines`;
  const recovery = facts.handle === '' ? '' : `${shellWord(facts.launcher)} expand ${facts.handle}`;
  return bracket([counts, end, recovery].filter((part) => part !== '').join(' · '));
}

/** How the command ended, '' for exit 0. */
function ending(facts: Ending): string {
  if (facts.signal !== null) return `killed by ${facts.signal}`;
  if (facts.exit === null) return 'killed: nobody saw the command end';
  if (facts.exit === 0) return '';
  const signal = facts.exit > 128 ? signalName(facts.exit - 128) : null;
  return signal ? `exit ${facts.exit} (${signal})` : `exit ${facts.exit}`;
}

function bracket(text: string): string {
  return text === '' ? '' : `[${text}]`;
}

/** A path as a shell reads it back. */
function shellWord(path: string): string {
  return /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
