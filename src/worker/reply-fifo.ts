import { close, constants, fstatSync, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { CavemanError } from '../protocol/errors.ts';

/**
 * The write end of a reply FIFO. The pump at the other end reads header lines, then bytes:
 * `N <n>\n<note>` a note for stderr · `C\n` all that follows is output · `T <n>\n<bytes>E\n` all of a short output ·
 * `X <exit> <n>\n<message>` an error.
 */
export class ReplyFifo {
  readonly #socket: Socket;
  #gone: CavemanError | null = null;

  /** `path` must be a FIFO with a reader. Throws `cancelled` when nobody reads it. */
  constructor(path: string) {
    let fd: number;
    try {
      fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    } catch (error) {
      throw new CavemanError('cancelled', `the reply FIFO has no reader: ${(error as Error).message}`);
    }
    if (!fstatSync(fd).isFIFO()) {
      close(fd);
      throw new CavemanError('internal', 'the reply path is not a FIFO');
    }
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.on('error', (error) => {
      this.#gone = new CavemanError('cancelled', `the reader has gone: ${error.message}`);
    });
  }

  /** Resolves when the kernel has taken the bytes; rejects `cancelled` when the reader has gone. */
  write(bytes: Uint8Array | string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#gone) {
        reject(this.#gone);
        return;
      }
      this.#socket.write(bytes, (error) => {
        if (error) reject(new CavemanError('cancelled', 'the reader has gone'));
        else resolve();
      });
    });
  }

  fail(exit: number, message: string): Promise<void> {
    return this.write(`X ${exit} ${Buffer.byteLength(message)}\n${message}`);
  }

  /** Closes our end: the reader sees the end of the output. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) {
        resolve();
        return;
      }
      this.#socket.once('close', () => resolve());
      this.#socket.destroy();
    });
  }
}
