import { chmodSync, lstatSync, renameSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { WebSocketServer } from 'ws';
import { CavemanError } from '../protocol/errors.ts';
import { SUBPROTOCOL } from '../protocol/version.ts';
import { privateDirectory } from '../runtime/private-dir.ts';
import { Connection } from './connection.ts';
import type { Context } from './context.ts';

/** Of one client message. Bytes come in frames of 256 KiB. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_FRAGMENTS = 64;
const MAX_BUFFERED_CHUNKS = 4096;
const MAX_CLIENTS = 256;

export interface Listener {
  close(): Promise<void>;
}

/**
 * Listens for `caveman.v1` clients on the Unix socket `path` (0600, in a 0700 directory of ours).
 * A socket that an earlier worker left behind is replaced; anything else there is refused with `foreign-path`.
 */
export async function listen(path: string, context: Context): Promise<Listener> {
  privateDirectory(dirname(path));
  checkReplaceable(path);
  const http = createServer((_request, response) => {
    response.writeHead(426, { 'content-type': 'text/plain' }).end('caveman speaks WebSocket here\n');
  });
  const sockets = new WebSocketServer({
    server: http,
    maxPayload: MAX_MESSAGE_BYTES,
    maxFragments: MAX_FRAGMENTS,
    maxBufferedChunks: MAX_BUFFERED_CHUNKS,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  });
  sockets.on('connection', (socket) => {
    if (sockets.clients.size > MAX_CLIENTS) socket.close(1013, 'too many clients');
    else if (socket.protocol === SUBPROTOCOL) new Connection(socket, context);
    else socket.close(1002, `this caveman speaks ${SUBPROTOCOL} only; caveman daemon restart`);
  });
  // Bound under another name and moved into place: clients see the old socket or the new one, never none.
  const temporary = join(dirname(path), `w${process.pid}`);
  rmSync(temporary, { force: true });
  await bind(http, temporary);
  chmodSync(temporary, 0o600);
  renameSync(temporary, path);
  const { ino } = statSync(path);
  return {
    close: async () => {
      if (inode(path) === ino) rmSync(path, { force: true });
      for (const client of sockets.clients) client.terminate();
      sockets.close();
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      });
    },
  };
}

function bind(http: ReturnType<typeof createServer>, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const old = process.umask(0o177);
    http.once('error', reject);
    http.listen(path, () => {
      http.off('error', reject);
      resolve();
    });
    process.umask(old);
  });
}

function checkReplaceable(path: string): void {
  const at = lstatSync(path, { throwIfNoEntry: false });
  if (!at || (at.isSocket() && at.uid === userInfo().uid)) return;
  throw new CavemanError('foreign-path', `${path} is not a socket of yours; remove ${basename(path)}`);
}

function inode(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}
