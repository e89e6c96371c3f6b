import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { Socket } from 'node:net';
import { HEADER, textReply } from '../protocol/rendezvous.ts';
import { openWriteEnd } from './fifo.ts';

/** Whole files up to this size are read at once and may go inline. */
const SMALL_BYTES = 32_768;

/** The writing end of one reply FIFO: headers and text for the pump. A pump that has gone is no error. */
export class Reply {
  private readonly socket: Socket | null;
  private open = true;
  private readonly closed: Promise<void>;

  /** Null descriptor: nobody reads, everything sent is dropped. */
  constructor(path: string) {
    const fd = openWriteEnd(path);
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

  header(line: string): void {
    if (this.reachable) this.socket!.write(line);
  }

  /** False when the pump is behind: wait for `drained`. */
  write(bytes: Uint8Array): boolean {
    // The caller's buffer is used again at once: the socket needs its own copy.
    return !this.reachable || this.socket!.write(Buffer.from(bytes));
  }

  drained(): Promise<void> {
    return new Promise((resolve) => {
      if (!this.reachable || !this.socket!.writableNeedDrain) return resolve();
      this.socket!.once('drain', resolve);
      this.socket!.once('close', resolve);
    });
  }

  /** Sends a whole text and ends. */
  async text(bytes: Uint8Array): Promise<void> {
    if (this.reachable) for (const part of textReply(bytes)) this.socket!.write(part);
    await this.end();
  }

  /** Sends the first `bytes` of a file as they are, then `trailer`, and ends. */
  async file(path: string, bytes: number, trailer: string): Promise<void> {
    if (bytes <= SMALL_BYTES) {
      const body = readStart(path, bytes);
      return this.text(trailer ? Buffer.concat([body, Buffer.from(trailer)]) : body);
    }
    this.header(HEADER.copy);
    await this.copyFile(path, 0, bytes);
    if (trailer) this.write(Buffer.from(trailer));
    await this.end();
  }

  /** Bytes `from` to `to` of a file, with back pressure. */
  async copyFile(path: string, from: number, to: number): Promise<void> {
    if (to <= from) return;
    for await (const chunk of createReadStream(path, {
      start: from,
      end: to - 1,
      highWaterMark: 256 * 1024,
    })) {
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

function readStart(path: string, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  if (length === 0) return buffer;
  const fd = openSync(path, 'r');
  try {
    return buffer.subarray(0, readSync(fd, buffer, 0, length, 0));
  } finally {
    closeSync(fd);
  }
}
