import { CavemanError, type ErrorCode } from '../../protocol/errors.ts';
import { oneLine } from './plain.ts';

/** Exit codes of caveman's own verbs; `run` gives the command's own instead. */
export const EXIT = { ok: 0, negative: 1, usage: 2, own: 125 } as const;

/** How a program that was killed by SIGPIPE would look to a shell: 128 + 13. */
export const EXIT_PIPE = 141;

const NEGATIVE: readonly ErrorCode[] = ['unknown-handle', 'ambiguous-handle', 'forgotten-handle'];
const MAX_SUGGESTIONS = 3;

export interface Failure {
  /** One line without the prefix; '' when nothing should be said. */
  message: string;
  exit: number;
}

/** Reads any thrown value as one line for a person and an exit code. */
export function failureOf(error: unknown): Failure {
  if (error instanceof CavemanError) {
    const exit = NEGATIVE.includes(error.code)
      ? EXIT.negative
      : error.code === 'bad-request'
        ? EXIT.usage
        : EXIT.own;
    return { message: oneLine(withSuggestions(error.message, error.suggestions)), exit };
  }
  if (isErrno(error) && error.code === 'EPIPE') return { message: '', exit: EXIT_PIPE };
  const text = error instanceof Error ? error.message : String(error);
  return { message: `${oneLine(text)}; see: caveman doctor`, exit: EXIT.own };
}

/** Adds the near matches unless the message already names the first of them. */
function withSuggestions(message: string, suggestions: readonly string[]): string {
  const [first] = suggestions;
  if (first === undefined || message.includes(first)) return message;
  return `${message} (did you mean ${suggestions.slice(0, MAX_SUGGESTIONS).join(', ')}?)`;
}

function isErrno(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error;
}
