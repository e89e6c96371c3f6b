/**
 * Words that make a line matter, as pieces of regular expressions: whole words, case ignored. Each begins with at
 * least two literal characters, because the byte scan (`candidate.ts`) finds them by their beginnings.
 * The seed's words first, then those of compilers, kernels, package tools, test runners and clusters.
 */
export const ERROR_VOCABULARY: readonly string[] = [
  ...['errors?', 'err', 'fatal', 'panic(?:ked|s)?', 'exceptions?', 'traceback', 'fail(?:ed|ures?|s)?'],
  ...['caused by', 'denied', 'refused', 'cannot', "can't", 'could not', "couldn't", 'unable to', 'not found'],
  ...[
    'no such',
    'timed[ -]out',
    'abort(?:ed|ing)',
    'seg(?:mentation )?fault',
    'segv',
    'core dumped',
    'killed',
  ],
  ...['oom', 'out of memory', 'no space left', 'undefined (?:reference|symbol|variable|name|function)'],
  ...['unresolved', 'unreachable', 'mismatch(?:ed)?', 'conflicts?', 'conflicting', 'rejected', 'declined'],
  ...[
    'assertion',
    'assert',
    'corrupt(?:ed|ion)?',
    'forbidden',
    'unauthori[sz]ed',
    'crash(?:ed|es)?',
    'not ok',
  ],
  ...['unhealthy', 'unhandled', 'uncaught', 'deadlock', 'critical', 'emerg(?:ency)?', 'severe'],
  ...['stack overflow', 'broken pipe', 'bad gateway', 'service unavailable', 'internal server error'],
  ...[
    'does not exist',
    'is not defined',
    'not a valid',
    'evicted',
    'unrecogni[sz]ed',
    'unsatisfied',
    'unmet',
  ],
  ...['ELIFECYCLE', 'ERESOLVE', 'ENOENT', 'EACCES', 'EPERM', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT'],
  ...['EADDRINUSE', 'ENOSPC', 'ENOMEM'],
];

export const WARNING_VOCABULARY: readonly string[] = ['warn(?:ings?|ed)?', 'deprecat(?:ed|ion)', 'caution'];

export const HINT_VOCABULARY: readonly string[] = [
  ...['time-?out', 'missing', 'invalid', 'unexpected', 'undefined', 'unknown', 'retry(?:ing)?', 'retries'],
  ...['skipped', 'unstable', 'illegal', 'overflow', 'exhausted', 'disconnected', 'unavailable', 'pending'],
  ...['degraded', 'failing', 'fault', 'leak(?:ed|s)?'],
];

/** Words whose number decides: `exit status 1`, `HTTP 503`, `rc=2`. */
export const STATUS_VOCABULARY: readonly string[] = [
  'exit(?:ed)?',
  'HTTP',
  'status',
  'returned',
  'code',
  'rc',
];

/** Beginnings of identifiers that the patterns of `importance.ts` look for besides the words: `ErrNotFound`, `CVE-2024-…`. */
export const SHAPE_BEGINNINGS: readonly string[] = ['Err', 'SIG', 'CVE-'];

/** One pattern for whole words of a vocabulary. */
export function anyOf(...vocabularies: (readonly string[])[]): RegExp {
  return new RegExp(`\\b(?:${vocabularies.flat().join('|')})\\b`, 'i');
}

/** The literal characters that a piece begins with: an optional last one (`errors?`) is not among them. */
export function literalBeginning(piece: string): string {
  const literal = /^[\w '-]*/.exec(piece)![0];
  return piece[literal.length] === '?' ? literal.slice(0, -1) : literal;
}
