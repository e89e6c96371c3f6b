import {
  anyOf,
  ERROR_VOCABULARY,
  HINT_VOCABULARY,
  STATUS_VOCABULARY,
  WARNING_VOCABULARY,
} from './vocabulary.ts';

/**
 * How much a line matters, from its own text alone.
 * PLAIN: may fold. PASSING: mentions an error type but says itself that it passed. HINT: words that often, not always,
 * mean trouble. WARNING, ERROR: kept as long as the budget allows.
 */
export const PLAIN = 0;
export const PASSING = 1;
export const HINT = 2;
export const WARNING = 3;
export const ERROR = 4;
export type Level = 0 | 1 | 2 | 3 | 4;

export interface Importance {
  level: Level;
  /** The level hangs on digits (a count, a status): lines of the same masked kind are judged one by one. */
  perLine: boolean;
}

const FAILURE_NOUN =
  'errors?|err|failures?|fail(?:ed|s|ing)?|warnings?|warn|exceptions?|problems?|issues?|crashes|panics?|vulnerabilit(?:y|ies)';
const PLURAL =
  'errors|failures|warnings|exceptions|problems|issues|crashes|panics|vulnerabilities|(?:error|failure|warning)\\(s\\)';
const COUNTED_THING = '(?:tests?|builds?|jobs?|suites?|checks?|files?|steps?)';
/**
 * `0 errors`, `no warnings`, `0 tests failed`, `errors: 0`, `, 0 failed`: says that all is well. Not `worker 0 failed`
 * and not `0 ERROR`, where the number names something else.
 */
const ZERO_COUNT = new RegExp(
  [
    `\\b(?:0|no|zero|without) +(?:(?:known|new|more|other|fatal|compile|type|lint|${COUNTED_THING}) +)?(?:${PLURAL})(?!\\w)`,
    '\\b(?:no|without) +(?:error|failure|warning|exception|problem|issue)\\b',
    `\\b(?:0|no|zero) +${COUNTED_THING} +(?:failed|failing|errored)\\b`,
    '(?<=^|[,;:(|=\\[] ?)0 +(?:failed|failing|errored|broken)\\b',
    `\\b(?:${FAILURE_NOUN})\\b["']? ?[:=] ?0\\b(?![.\\d])`,
  ].join('|'),
  'gi',
);
const COUNTED = new RegExp(
  `\\d+ +(?:\\w+ +)?(?:${FAILURE_NOUN})\\b|\\b(?:${FAILURE_NOUN})\\b["']? ?[:=] ?\\d|\\bexit(?:ed)?\\b[^\\d]{0,24}\\d|\\bHTTP\\b|\\bstatus\\b|\\b(?:code|rc)[=: ]+-?\\d`,
  'i',
);
const NONZERO_COUNT = new RegExp(`\\b[1-9]\\d*\\s+(?:\\w+\\s+)?(?:${FAILURE_NOUN})\\b`, 'i');

const ERROR_WORDS = anyOf(ERROR_VOCABULARY);

// Upper case or camel case only: lower case would match ordinary prose and identifiers.
const ERROR_SHAPES =
  /[A-Za-z0-9_](?:Error|Exception)\b|OOMKilled\b|BackOff\b|\b(?:Err|SIG)[A-Z]\w+|\bE\d{3,5}\b|\bTS\d{4,5}:|[✗✘❌✖]|\bCVE-\d/;
const ERROR_PLACES =
  /^\s+at\s+\S|^\s*File "|\.go:\d|(?:[A-Za-z_)\]]|\.[A-Za-z]\w{0,4}):\d+:\d+:|^\s*--+>|^\s*>>>\s|^\s*×\s|^\s*● |^E\s{2,}\S/;
const NONZERO_STATUS =
  /\b(?:exit(?:ed)?|returned)\b(?: with)?(?: a)?(?: non-?zero)?(?: exit)?(?: status| code)?["']?[ :=(]*-?[1-9]\d*\b(?!\.)/i;
const HTTP_STATUS = /\bHTTP(?:\/\d(?:\.\d)?)?"?[ :]+[45]\d\d\b|\bstatus(?:[ _-]?code)?["']?[ :=]+[45]\d\d\b/i;
const WARNING_WORDS = anyOf(WARNING_VOCABULARY);
const HINT_WORDS = anyOf(HINT_VOCABULARY);
/** Any word of the three vocabularies: one test sends most lines on their way. */
const ANY_WORD = anyOf(ERROR_VOCABULARY, WARNING_VOCABULARY, HINT_VOCABULARY);
/** Words whose number decides. */
const STATUS_WORD = anyOf(STATUS_VOCABULARY);

const PASS_START = /^\s*(?:[✓✔√]|ok \d|PASS(?:ED)?\b|--- PASS|\[\s*(?:OK|PASS(?:ED)?)\s*\])/;
const PASS_END = /(?:\bPASS(?:ED)?|(?:\.\.\.+|\s) ?ok)\s*(?:\[\s*\d+%\])?\s*(?:\([^()]{0,24}\))?\s*$/;

/** Judges one line of at most a few thousand characters. Linear in its length; every pattern starts at a fixed point. */
export function importanceOf(text: string): Importance {
  const status = STATUS_WORD.test(text);
  if (!status && !ANY_WORD.test(text) && !ERROR_SHAPES.test(text) && !ERROR_PLACES.test(text)) return NOTHING;
  const level = levelOf(text.replace(ZERO_COUNT, ' '));
  return { level, perLine: COUNTED.test(text) };
}
export const NOTHING: Importance = { level: PLAIN, perLine: false };

/** A line that says of itself that it passed is no failure, whatever its test is called. */
function levelOf(text: string): Level {
  const level = rawLevel(text);
  if (level === PLAIN || NONZERO_COUNT.test(text)) return level;
  return PASS_START.test(text) || PASS_END.test(text) ? PASSING : level;
}

function rawLevel(text: string): Level {
  const warns = WARNING_WORDS.test(text);
  if (ERROR_SHAPES.test(text) || ERROR_PLACES.test(text) || HTTP_STATUS.test(text))
    return warns ? WARNING : ERROR;
  if (ERROR_WORDS.test(text) || NONZERO_STATUS.test(text)) return ERROR;
  if (warns) return WARNING;
  return HINT_WORDS.test(text) ? HINT : PLAIN;
}

/** Where the first word that matters begins in `text` at or after `from`, or −1. For windows into long lines. */
export function findImportant(text: string, from: number): { at: number; end: number } | null {
  const part = from === 0 ? text : text.slice(from);
  if (!ANY_WORD.test(part) && !ERROR_SHAPES.test(part)) return null;
  const blanked = part.replace(ZERO_COUNT, (zeros) => ' '.repeat(zeros.length));
  let best: { at: number; end: number } | null = null;
  for (const pattern of [ERROR_SHAPES, ERROR_WORDS, WARNING_WORDS]) {
    const found = pattern.exec(blanked);
    if (found && (best === null || from + found.index < best.at)) {
      best = { at: from + found.index, end: from + found.index + found[0].length };
    }
  }
  return best;
}
