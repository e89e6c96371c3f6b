/**
 * The lines that pass through the rendezvous FIFOs, read and written by the shells with builtins only.
 * docs/protocol.md states them; shell/hook.bash, shell/hook.zsh and shell/caveman are the other end.
 */

/** First word of every request; another one is a hook of another version: it runs untouched. */
export const RENDEZVOUS_VERSION = 'CV1';
/** A request may not be larger: it must fit one FIFO (64 KiB on Linux), so that a hung daemon blocks no hook. */
export const MAX_REQUEST_BYTES = 60_000;
/** Slot names, one byte each, also the ticket: lower case and digits only, for file systems that fold case. */
export const SLOT_NAMES = '0123456789abcdefghijklmnopqrstuvwxyz';

/** What a hook asks: capture a command, or (launcher only) expand a handle. */
export type RendezvousRequest =
  | { verb: 'run'; nonce: string; run: RunRequest }
  | { verb: 'expand'; nonce: string; captureId: string; tty: boolean; args: string[] };

export interface RunRequest {
  command: string;
  /** Length of the whole command in characters; more than `command` holds when it was cut. */
  commandLength: number;
  argument: string;
  cwd: string;
  agent: string;
  session: string;
  /** stdout and stderr are one file: one stream, in true order. */
  merged: boolean;
  stdoutTty: boolean;
  raw: boolean;
  json: boolean;
  onPath: boolean;
  /** Name the handle on stderr where no footer does. */
  announce: boolean;
  /** `CAVEMAN_MODE`: '' leaves the choice to the daemon. */
  mode: '' | 'pty' | 'pipe';
}

export type ReadOutcome =
  | { state: 'more' }
  | { state: 'bad'; nonce: string }
  | { state: 'request'; request: RendezvousRequest; rest: Uint8Array };

const decoder = new TextDecoder();
const NEWLINE = 10;

/** Collects one request: `CV1 NONCE VERB COUNT\n`, then COUNT fields, each ended by a NUL. */
export class RequestReader {
  private bytes = new Uint8Array(0);

  push(chunk: Uint8Array): ReadOutcome {
    const joined = new Uint8Array(this.bytes.length + chunk.length);
    joined.set(this.bytes);
    joined.set(chunk, this.bytes.length);
    this.bytes = joined;
    const lineEnd = joined.indexOf(NEWLINE);
    if (lineEnd < 0) return joined.length > 200 ? { state: 'bad', nonce: '' } : { state: 'more' };
    const [version, nonce = '', verb = '', count = ''] = decoder
      .decode(joined.subarray(0, lineEnd))
      .split(' ');
    const total = Number(count);
    if (version !== RENDEZVOUS_VERSION || !isNonce(nonce)) return { state: 'bad', nonce: '' };
    if (!Number.isInteger(total) || total < 1 || total > 64) return { state: 'bad', nonce };
    const fields: string[] = [];
    let at = lineEnd + 1;
    while (fields.length < total) {
      const end = joined.indexOf(0, at);
      if (end < 0) return joined.length > MAX_REQUEST_BYTES ? { state: 'bad', nonce } : { state: 'more' };
      fields.push(decoder.decode(joined.subarray(at, end)));
      at = end + 1;
    }
    const request = toRequest(verb, nonce, fields);
    return request ? { state: 'request', request, rest: joined.subarray(at) } : { state: 'bad', nonce };
  }
}

/** A nonce is echoed into a line of its own, so it holds nothing but digits and dots. */
function isNonce(text: string): boolean {
  if (text.length === 0 || text.length > 40) return false;
  for (const c of text) if (c !== '.' && (c < '0' || c > '9')) return false;
  return true;
}

function toRequest(verb: string, nonce: string, fields: string[]): RendezvousRequest | null {
  if (verb === 'expand') {
    const [captureId = '', tty = '', ...args] = fields;
    return { verb, nonce, captureId, tty: tty === 't', args };
  }
  if (verb !== 'run' || fields.length !== 7) return null;
  const [command = '', length = '', argument = '', cwd = '', agent = '', session = '', options = ''] = fields;
  const commandLength = Number(length);
  if (!Number.isInteger(commandLength) || commandLength < 0) return null;
  const has = (letter: string) => options.includes(letter);
  return {
    verb,
    nonce,
    run: {
      command,
      commandLength,
      argument,
      cwd,
      agent,
      session,
      merged: has('m'),
      stdoutTty: has('t'),
      raw: has('r'),
      json: has('j'),
      onPath: has('p'),
      announce: has('h'),
      mode: has('F') ? 'pipe' : has('P') ? 'pty' : '',
    },
  };
}

/**
 * The daemon's answer. `base` names the FIFOs of this capture in the rendezvous directory: `base.o` stdout,
 * `base.e` stderr, `base.r` and `base.s` their replies. `pts` and `proc` are `-` where there is no PTY; `proc`
 * is the daemon's own descriptor of that PTY, which proves that both see one device.
 */
export function answerLine(
  nonce: string,
  to: { id: string; base: string; pts: string; proc: string; spool: string },
): string {
  return `${nonce} ${to.id} ${to.base} ${to.pts} ${to.proc} ${to.spool}\n`;
}

/** Refusal: the command runs untouched. */
export function refusalLine(nonce: string): string {
  return `${nonce} -\n`;
}

/** Longest text that the pump takes with its own `read`; longer ones go through `cat`. */
const MAX_INLINE_BYTES = 32_768;

/** Header lines that the pump obeys. */
export const HEADER = {
  /** Nothing more will come. */
  end: 'E\n',
  /** All further bytes here, to the end of file, are stdout. */
  copy: 'C\n',
  /** The stderr reply FIFO, to its end of file, is stderr; headers go on here meanwhile. */
  copyErr: 'D\n',
  /** The daemon is at work on the projection: the deadline starts anew. */
  wait: 'W\n',
  /** The hook is gone: kill the command. */
  kill: 'K\n',
  /** The command certainly died by the signal that its status names. */
  signal: 'G\n',
} as const;

/**
 * `T LENGTH` and stdout, or `U LENGTH` and stderr. Null when the text is too long, or holds a NUL, which no shell
 * variable can.
 */
export function inlineText(kind: 'T' | 'U', bytes: Uint8Array): Uint8Array | null {
  if (bytes.length > MAX_INLINE_BYTES || bytes.includes(0)) return null;
  const header = encode(`${kind} ${bytes.length}\n`);
  const joined = new Uint8Array(header.length + bytes.length);
  joined.set(header);
  joined.set(bytes, header.length);
  return joined;
}

/** One line for the caller's stderr, printed behind the text that follows. */
export function noteHeader(note: string): string {
  return `N ${encode(note).length}\n${note}`;
}

const encoder = new TextEncoder();
function encode(text: string): Uint8Array {
  return encoder.encode(text);
}
