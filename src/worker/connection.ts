import type { RawData, WebSocket } from 'ws';
import { CavemanError } from '../protocol/errors.ts';
import { decodeFrame, encodeFrame, type Frame } from '../protocol/frames.ts';
import {
  hello,
  parseClientMessage,
  type Request,
  type ServerMessage,
  UnreadableMessage,
} from '../protocol/messages.ts';
import { PROTOCOL_VERSION } from '../protocol/version.ts';
import type { Context } from './context.ts';
import { Exchange } from './exchange.ts';
import { handle } from './handlers/handle.ts';

const HELLO_TIMEOUT_MS = 2_000;
const MAX_RUNNING = 64;
/** A client that does not read gets nothing more, and none of its requests is worked on, above this. */
const MAX_UNSENT_BYTES = 2 * 1024 * 1024;
/** Above this a client that keeps asking is dropped: more than the longest `list` and all frames under credit. */
const MAX_DEAF_BYTES = 64 * 1024 * 1024;
const CLOSE_POLICY = 1008;

/** One client: greets, runs its requests, ends them when it goes. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #context: Context;
  readonly #running = new Map<number, Exchange>();
  #greeted = false;
  #drained: (() => void)[] = [];
  /** Resolves when the last request that moves no bytes is done. */
  #turn: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, context: Context) {
    this.#socket = socket;
    this.#context = context;
    const timer = setTimeout(
      () => this.#refuse(new CavemanError('bad-request', 'no hello within 2 s')),
      HELLO_TIMEOUT_MS,
    );
    socket.on('message', (data: RawData, binary: boolean) => {
      clearTimeout(timer);
      this.#receive(data as Buffer, binary);
    });
    // Too long, too many fragments, bad UTF-8: ws closes the connection with the fitting code.
    socket.on('error', (error) => context.log.warn({ reason: error.message }, 'client dropped'));
    socket.on('close', () => {
      clearTimeout(timer);
      for (const exchange of this.#running.values()) exchange.cancel();
      this.#wakeDrained();
    });
  }

  #receive(data: Buffer, binary: boolean): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.#socket.bufferedAmount > MAX_DEAF_BYTES && !binary) {
      this.#context.log.warn('client dropped: it asks and does not read');
      this.#socket.terminate();
      return;
    }
    try {
      if (!this.#greeted) this.#greet(binary ? '' : data.toString('utf8'));
      else if (binary) this.#frame(decodeFrame(data));
      else this.#message(data.toString('utf8'));
    } catch (error) {
      if (error instanceof UnreadableMessage && error.id !== 0) void this.#error(error.id, error);
      else this.#refuse(error as Error);
    }
  }

  #greet(text: string): void {
    const message = parseClientMessage(text);
    if (message.type !== 'hello') throw new CavemanError('bad-request', 'the first message must be hello');
    if (message.version !== PROTOCOL_VERSION) {
      throw new CavemanError(
        'version-mismatch',
        message.version > PROTOCOL_VERSION
          ? 'the running daemon is older than this caveman; run: caveman daemon restart'
          : 'this caveman is older than the running daemon; reinstall it: ./install.sh',
      );
    }
    this.#greeted = true;
    void this.#send(hello());
  }

  #frame(frame: Frame): void {
    // A frame for a request that has just ended was on its way: nobody's mistake.
    this.#running.get(frame.id)?.arrive(frame);
  }

  #message(text: string): void {
    const message = parseClientMessage(text);
    switch (message.type) {
      case 'hello':
        throw new CavemanError('bad-request', 'hello comes once');
      case 'credit':
        this.#running.get(message.id)?.grant(message.bytes);
        return;
      case 'cancel':
        this.#running.get(message.id)?.cancel();
        return;
      default:
        this.#start(message);
    }
  }

  #start(request: Request): void {
    if (this.#running.has(request.id)) throw new CavemanError('bad-request', 'the request id is in use');
    if (this.#running.size >= MAX_RUNNING) {
      void this.#error(
        request.id,
        new CavemanError('busy', `at most ${MAX_RUNNING} requests at once; try again`),
      );
      return;
    }
    const exchange = new Exchange(request.id, {
      frame: (frame) => this.#sendFrame(frame),
      credit: (id, bytes) => void this.#send({ type: 'credit', id, bytes }),
    });
    this.#running.set(request.id, exchange);
    void this.#run(request, exchange);
  }

  /**
   * The request counts as running until its answer has left this process. Requests that move bytes run side by side;
   * the others one by one, so that a client that does not read holds one result in memory, not 64.
   */
  async #run(request: Request, exchange: Exchange): Promise<void> {
    const streaming = request.type === 'expand' || request.type === 'put';
    const turn = streaming ? Promise.resolve() : this.#turn;
    let done = (): void => {};
    if (!streaming) {
      this.#turn = new Promise((resolve) => {
        done = resolve;
      });
    }
    try {
      await turn;
      await this.#room();
      const result = await handle(request, this.#context, exchange);
      await this.#send({ type: 'result', id: request.id, result });
    } catch (error) {
      if (!(error instanceof CavemanError)) {
        this.#context.log.error({ request: request.type, err: error }, 'request failed');
      }
      await this.#error(request.id, error as Error);
    } finally {
      this.#running.delete(request.id);
      done();
    }
  }

  /** Resolves when little is waiting to be sent, or the client has gone. */
  async #room(): Promise<void> {
    while (this.#socket.readyState === this.#socket.OPEN && this.#socket.bufferedAmount > MAX_UNSENT_BYTES) {
      await new Promise<void>((resolve) => this.#drained.push(resolve));
    }
  }

  async #sendFrame(frame: Frame): Promise<void> {
    await this.#room();
    if (this.#socket.readyState !== this.#socket.OPEN) {
      throw new CavemanError('cancelled', 'the client has gone');
    }
    this.#socket.send(encodeFrame(frame), () => this.#wakeDrained());
  }

  /** Resolves when the message has left this process, or never will. */
  #send(message: ServerMessage): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.readyState !== this.#socket.OPEN) {
        resolve();
        return;
      }
      this.#socket.send(JSON.stringify(message), () => {
        this.#wakeDrained();
        resolve();
      });
    });
  }

  #error(id: number, error: Error): Promise<void> {
    const known = error instanceof CavemanError;
    return this.#send({
      type: 'error',
      id,
      error: {
        code: known ? error.code : 'internal',
        message: known ? error.message : `caveman failed: ${error.message}; see: caveman daemon logs`,
        suggestions: known ? [...error.suggestions] : [],
      },
    });
  }

  /** Says why and closes. */
  #refuse(error: Error): void {
    void this.#error(0, error);
    this.#socket.close(CLOSE_POLICY);
    // A peer that never answers the closing handshake is cut off by ws after its own time limit.
  }

  #wakeDrained(): void {
    const waiting = this.#drained;
    this.#drained = [];
    for (const resume of waiting) resume();
  }
}
