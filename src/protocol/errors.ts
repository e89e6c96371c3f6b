/** The closed set of error codes a client can get. Each message is one line: what happened, what to do next. */
export const ERROR_CODES = [
  'unknown-handle',
  'ambiguous-handle',
  'forgotten-handle',
  'damaged-archive',
  'archive-full',
  'archive-unavailable',
  'bad-request',
  'too-large',
  'version-mismatch',
  'busy',
  'daemon-down',
  'daemon-hung',
  'foreign-path',
  'cancelled',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** A failure with a code from the closed set; `message` is the one line a person reads. */
export class CavemanError extends Error {
  readonly code: ErrorCode;
  /** Near matches for a misspelt or ambiguous handle, best first. */
  readonly suggestions: readonly string[];
  constructor(code: ErrorCode, message: string, suggestions: readonly string[] = []) {
    super(message);
    this.name = 'CavemanError';
    this.code = code;
    this.suggestions = suggestions;
  }
}
