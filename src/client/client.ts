import type { RawData, WebSocket } from 'ws';
import { CREDIT_WINDOW_BYTES, Credit } from '../protocol/credit.ts';
import { CavemanError } from '../protocol/errors.ts';
import { decodeFrame, encodeFrame, FRAME_PAYLOAD_BYTES } from '../protocol/frames.ts';
import { type ClientMessage, parseServerMessage } from '../protocol/messages.ts';
import type { ParamsOf, RequestName, ResultOf } from '../protocol/requests.ts';

/** While a request runs the daemon must show life this often, by any message or a pong. */
const SILENCE_MS = 5_000;

/** What `expand` does with the bytes; the next ones come when a returned promise has resolved. */
export type OnData = (chunk: Uint8Array) => void | Promise<void>;

interface Running {
  credit: Credit;
  onData: OnData | null;
  /** Chain of `onData` calls: order and backpressure. */
  tail: Promise<void>;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** An open connection to the daemon. Any number of requests may run at once; errors are `CavemanError`s. */
export class Client {
  readonly #socket: WebSocket;
  readonly #running = new Map<number, Running>();
  #lastId = 0;
  #alive = true;
  #watch: NodeJS.Timeout | null = null;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: RawData, binary: boolean) => this.#receive(data as Buffer, binary));
    socket.on('pong', () => {
      this.#alive = true;
    });
    socket.on('error', () => {});
    socket.on('close', () =>
      this.#failAll(
        new CavemanError('daemon-down', 'the daemon closed the connection; run: caveman daemon status'),
      ),
    );
  }

  request<N extends RequestName>(name: N, params: ParamsOf<N>): Promise<ResultOf<N>> {
    return this.#start(name, params, null).result;
  }

  /** Gives the bytes to `onData` in order; resolves after the last one was taken. */
  expand(params: ParamsOf<'expand'>, onData: OnData): Promise<ResultOf<'expand'>> {
    const { id, result } = this.#start('expand', params, onData);
    this.#send({ type: 'credit', id, bytes: CREDIT_WINDOW_BYTES });
    return result;
  }

  /** Archives all bytes of `source`. */
  async put(params: ParamsOf<'put'>, source: AsyncIterable<Uint8Array>): Promise<ResultOf<'put'>> {
    const { id, credit, result } = this.#start('put', params, null);
    // A refusal ends the upload through the credit; it is reported by `result`.
    result.catch(() => {});
    try {
      for await (const chunk of source) {
        for (let at = 0; at < chunk.length; ) {
          const n = await credit.take(Math.min(chunk.length - at, FRAME_PAYLOAD_BYTES));
          this.#socket.send(encodeFrame({ id, last: false, payload: chunk.subarray(at, at + n) }));
          at += n;
        }
      }
      if (this.#running.has(id)) {
        this.#socket.send(encodeFrame({ id, last: true, payload: new Uint8Array(0) }));
      }
    } catch (error) {
      if (this.#running.has(id)) this.#send({ type: 'cancel', id });
      if (!(error instanceof CavemanError)) throw error;
    }
    return await result;
  }

  /** Ends the connection; running requests are rejected. */
  async close(): Promise<void> {
    this.#failAll(new CavemanError('cancelled', 'the connection was closed'));
    if (this.#socket.readyState === this.#socket.CLOSED) return;
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()));
    this.#socket.close(1000);
    const timer = setTimeout(() => this.#socket.terminate(), 500);
    await closed;
    clearTimeout(timer);
  }

  #start<N extends RequestName>(name: N, params: ParamsOf<N>, onData: OnData | null) {
    const id = ++this.#lastId;
    const credit = new Credit();
    const result = new Promise<ResultOf<N>>((resolve, reject) => {
      this.#running.set(id, {
        credit,
        onData,
        tail: Promise.resolve(),
        resolve: (value) => resolve(value as ResultOf<N>),
        reject,
      });
    });
    if (this.#socket.readyState !== this.#socket.OPEN) {
      this.#end(id)?.reject(new CavemanError('daemon-down', 'the daemon is gone; run: caveman daemon start'));
      return { id, credit, result };
    }
    this.#send({ type: name, id, params } as ClientMessage);
    this.#watchLife();
    return { id, credit, result };
  }

  #send(message: ClientMessage): void {
    this.#socket.send(JSON.stringify(message));
  }

  #receive(data: Buffer, binary: boolean): void {
    this.#alive = true;
    try {
      if (binary) this.#data(data);
      else this.#message(data.toString('utf8'));
    } catch (error) {
      this.#failAll(error as Error);
      this.#socket.terminate();
    }
  }

  #data(bytes: Uint8Array): void {
    const { id, payload } = decodeFrame(bytes);
    const request = this.#running.get(id);
    const onData = request?.onData;
    if (!request || !onData || payload.length === 0) return;
    request.tail = request.tail.then(async () => {
      await onData(payload);
      if (this.#running.has(id)) this.#send({ type: 'credit', id, bytes: payload.length });
    });
    request.tail.catch((error: Error) => {
      if (!this.#running.has(id)) return;
      this.#send({ type: 'cancel', id });
      this.#end(id)?.reject(error);
    });
  }

  #message(text: string): void {
    const message = parseServerMessage(text);
    if (message.type === 'hello') return;
    const request = this.#running.get(message.id);
    switch (message.type) {
      case 'credit':
        request?.credit.grant(message.bytes);
        return;
      case 'result':
        // The request stays in the table until its last bytes were taken.
        request?.tail.then(
          () => this.#end(message.id)?.resolve(message.result),
          () => {},
        );
        return;
      case 'error': {
        const { code, message: line, suggestions } = message.error;
        const error = new CavemanError(code, line, suggestions);
        if (message.id === 0) this.#failAll(error);
        else this.#end(message.id)?.reject(error);
      }
    }
  }

  #end(id: number): Running | undefined {
    const request = this.#running.get(id);
    this.#running.delete(id);
    request?.credit.close(new CavemanError('cancelled', 'the request has ended'));
    if (this.#running.size === 0 && this.#watch) {
      clearInterval(this.#watch);
      this.#watch = null;
    }
    return request;
  }

  #failAll(error: Error): void {
    for (const id of [...this.#running.keys()]) this.#end(id)?.reject(error);
  }

  #watchLife(): void {
    if (this.#watch) return;
    this.#alive = true;
    this.#watch = setInterval(() => {
      if (!this.#alive) {
        this.#failAll(
          new CavemanError('daemon-hung', 'the daemon does not answer; run: caveman daemon restart'),
        );
        this.#socket.terminate();
        return;
      }
      this.#alive = false;
      this.#socket.ping();
    }, SILENCE_MS);
  }
}
