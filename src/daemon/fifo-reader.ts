import { Socket } from 'node:net';

/**
 * One buffer for all readers: Node fills it and calls back in one go, and every consumer copies or writes what
 * it wants before it returns.
 */
const shared = Buffer.allocUnsafe(64 * 1024);

export interface FifoReader {
  pause(): void;
  resume(): void;
  close(): void;
}

/**
 * Reads a FIFO descriptor as bytes come. The socket owns the descriptor from here on and closes it; nobody else
 * may use its number again. `onData` gets a view that is valid only during the call. `onEnd`: no writer is left.
 */
export function readFifo(fd: number, onData: (bytes: Buffer) => void, onEnd: () => void): FifoReader {
  const socket = new Socket({
    fd,
    readable: true,
    writable: false,
    onread: {
      buffer: shared,
      callback: (length: number) => {
        onData(shared.subarray(0, length));
        return true;
      },
    },
  } as ConstructorParameters<typeof Socket>[0]);
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  socket.on('end', end);
  socket.on('error', end);
  socket.on('close', end);
  socket.resume();
  return {
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: () => {
      ended = true;
      socket.destroy();
    },
  };
}
