import { connect as connectSocket } from 'node:net';
import { WebSocket } from 'ws';
import { CavemanError } from '../protocol/errors.ts';
import { hello, parseServerMessage } from '../protocol/messages.ts';
import { PROTOCOL_VERSION, SUBPROTOCOL } from '../protocol/version.ts';
import { paths } from '../runtime/paths.ts';
import { Client } from './client.ts';
import { checkOwner } from './owner.ts';

const DEFAULT_TIMEOUT_MS = 2_000;
/** Server messages hold at most 10,000 rows of `list`; anything longer is not our daemon. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Connects to the running daemon and exchanges greetings.
 * Throws `daemon-down` (nobody listens), `daemon-hung` (no greeting within `timeoutMs`), `foreign-path`
 * (the socket is not ours) or `version-mismatch`.
 */
export async function connect(options: { timeoutMs?: number } = {}): Promise<Client> {
  const { socket: path } = paths();
  checkOwner(path);
  const socket = new WebSocket('ws://localhost/', SUBPROTOCOL, {
    // Not a `ws+unix:` URL: that cannot hold a path with a colon.
    createConnection: () => connectSocket(path),
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    skipUTF8Validation: false,
  });
  try {
    await greet(socket, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  } catch (error) {
    socket.on('error', () => {});
    socket.terminate();
    throw error;
  }
  return new Client(socket);
}

function greet(socket: WebSocket, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: CavemanError): void => {
      done();
      reject(error);
    };
    const timer = setTimeout(() => {
      fail(new CavemanError('daemon-hung', 'the daemon does not answer; run: caveman daemon restart'));
    }, timeoutMs);
    const done = (): void => {
      clearTimeout(timer);
      socket.off('open', onOpen).off('message', onMessage).off('error', onError).off('close', onClose);
    };
    const onOpen = (): void => socket.send(JSON.stringify(hello()));
    const onError = (error: Error): void => fail(connectionError(error));
    const onClose = (): void =>
      fail(new CavemanError('daemon-down', 'the daemon closed the connection; run: caveman daemon restart'));
    const onMessage = (data: Buffer): void => {
      const problem = greetingProblem(data.toString('utf8'));
      if (problem) return fail(problem);
      done();
      resolve();
    };
    socket.on('open', onOpen).on('message', onMessage).on('error', onError).on('close', onClose);
  });
}

/** Null for a greeting of our version. What cannot be read at all is another version's too. */
function greetingProblem(text: string): CavemanError | null {
  let message: ReturnType<typeof parseServerMessage>;
  try {
    message = parseServerMessage(text);
  } catch {
    return mismatch();
  }
  if (message.type === 'error') return new CavemanError(message.error.code, message.error.message);
  return message.type === 'hello' && message.version === PROTOCOL_VERSION ? null : mismatch();
}

function mismatch(): CavemanError {
  return new CavemanError(
    'version-mismatch',
    'the running daemon is of another version; run: caveman daemon restart',
  );
}

function connectionError(error: Error): CavemanError {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (code === 'ENOENT' || code === 'ECONNREFUSED') {
    return new CavemanError('daemon-down', 'the daemon is not running; run: caveman daemon start');
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new CavemanError('daemon-down', `the daemon cannot be reached from here (${code}): a sandbox?`);
  }
  // ws: no subprotocol in common, or an HTTP refusal (426).
  if (/subprotocol|Unexpected server response/.test(error.message)) return mismatch();
  return new CavemanError('daemon-down', `no connection to the daemon: ${error.message}`);
}
