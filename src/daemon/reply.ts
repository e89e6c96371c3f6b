import { createReadStream } from 'node:fs';
import { Socket } from 'node:net';

/** The writing end of one reply FIFO. A reader that has gone is no error: what is sent to it is dropped. */
export class Reply {
  private readonly socket: Socket | null;
  private open = true;
  private readonly closed: Promise<void>;

  /** Owns `fd` from here on. Null: nobody is there to read. */
  constructor(fd: number | null) {
    this.socket = fd === null ? null : new Socket({ fd, readable: false, writable: true });
    this.closed = new Promise((resolve) => {
      if (!this.socket) return resolve();
      this.socket.on('close', () => resolve());
    });
    this.socket?.on('error', () => this.drop());
  }

  get reachable(): boolean {
    return this.open && this.socket !== null;
  }

  /** False when the reader is behind: wait for `drained`. The bytes are copied: the caller's buffer may be used again. */
  write(bytes: Uint8Array | string): boolean {
    return !this.reachable || this.socket!.write(typeof bytes === 'string' ? bytes : Buffer.from(bytes));
  }

  /** Resolves to whether the reader is still there to take `bytes`. */
  reaches(bytes: string): Promise<boolean> {
    return new Promise((resolve) => {
      if (!this.reachable) return resolve(false);
      this.socket!.write(bytes, (error) => resolve(!error));
    });
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.reachable || !this.socket!.writableNeedDrain) return resolve();
      this.socket!.once('drain', resolve);
      this.socket!.once('close', resolve);
    });
  }

  /** The first `bytes` of a file, with back pressure. */
  async copyFile(path: string, bytes: number): Promise<void> {
    if (bytes === 0) return;
    for await (const chunk of createReadStream(path, { end: bytes - 1, highWaterMark: 256 * 1024 })) {
      if (!this.reachable) return;
      if (!this.write(chunk as Buffer)) await this.drained();
    }
  }

  async end(): Promise<void> {
    if (!this.reachable) return;
    this.open = false;
    this.socket!.end(() => this.socket!.destroy());
    await this.closed;
  }

  drop(): void {
    this.open = false;
    this.socket?.destroy();
  }
}
