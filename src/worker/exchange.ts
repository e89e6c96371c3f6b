import { CREDIT_WINDOW_BYTES, Credit } from '../protocol/credit.ts';
import { CavemanError } from '../protocol/errors.ts';
import { FRAME_PAYLOAD_BYTES, type Frame } from '../protocol/frames.ts';

/** How an exchange reaches its connection. */
export interface Wire {
  frame(frame: Frame): Promise<void>;
  credit(id: number, bytes: number): void;
}

/** The bytes of one running request, both ways, under credit. */
export class Exchange {
  readonly id: number;
  readonly #wire: Wire;
  readonly #credit = new Credit();
  readonly #abort = new AbortController();
  #inbox: Frame[] = [];
  #arrived: (() => void) | null = null;
  /** Bytes that the client may still send. */
  #granted = 0;
  #ended = false;

  constructor(id: number, wire: Wire) {
    this.id = id;
    this.#wire = wire;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  grant(bytes: number): void {
    this.#credit.grant(bytes);
  }

  /** Sends bytes; resolves when they are on their way and there is room for more. */
  async send(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      const n = await this.#credit.take(Math.min(bytes.length - at, FRAME_PAYLOAD_BYTES));
      await this.#wire.frame({ id: this.id, last: false, payload: bytes.subarray(at, at + n) });
      at += n;
    }
  }

  /** The client's bytes up to its last frame. Throws `cancelled` when it goes away first. */
  async *receive(): AsyncGenerator<Uint8Array> {
    this.#allow(CREDIT_WINDOW_BYTES);
    for (;;) {
      this.#checkAborted();
      const frame = this.#inbox.shift();
      if (!frame) {
        await new Promise<void>((resolve) => {
          this.#arrived = resolve;
        });
        continue;
      }
      if (frame.payload.length > 0) yield frame.payload;
      if (frame.last) return;
      this.#allow(frame.payload.length);
    }
  }

  /** Throws `bad-request` when the client sends what it was not allowed to. */
  arrive(frame: Frame): void {
    if (frame.payload.length > this.#granted || this.#ended) {
      throw new CavemanError('bad-request', 'bytes beyond the credit that was granted');
    }
    this.#granted -= frame.payload.length;
    this.#ended = frame.last;
    this.#inbox.push(frame);
    this.#wake();
  }

  cancel(): void {
    const why = new CavemanError('cancelled', 'the request was cancelled');
    this.#abort.abort(why);
    this.#credit.close(why);
    this.#inbox = [];
    this.#wake();
  }

  #allow(bytes: number): void {
    if (bytes === 0) return;
    this.#granted += bytes;
    this.#wire.credit(this.id, bytes);
  }

  #wake(): void {
    this.#arrived?.();
    this.#arrived = null;
  }

  #checkAborted(): void {
    if (this.#abort.signal.aborted) throw this.#abort.signal.reason;
  }
}
