import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { hello } from '../../src/protocol/messages.ts';
import { SUBPROTOCOL } from '../../src/protocol/version.ts';
import { runCli } from '../helpers/cli.ts';

let home: string;
let server: Server;
beforeEach(() => {
  home = mkdtempSync('/tmp/cvx-');
  mkdirSync(join(home, 'run'), { mode: 0o700 });
  server = createServer();
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(home, { recursive: true });
});

/** A daemon of another make on the socket: `speak` is what it says to a client. */
async function otherDaemon(subprotocol: string | false, speak: (socket: WebSocket) => void): Promise<void> {
  const sockets = new WebSocketServer({ server, handleProtocols: () => subprotocol });
  sockets.on('connection', speak);
  const old = process.umask(0o177);
  await new Promise<void>((resolve) => server.listen(join(home, 'run', 'caveman.sock'), resolve));
  process.umask(old);
}

test.each<[string, string | false, (socket: WebSocket) => void]>([
  [
    'newer',
    SUBPROTOCOL,
    (socket) => socket.send(JSON.stringify({ ...hello(), version: hello().version + 1 })),
  ],
  [
    'older',
    SUBPROTOCOL,
    (socket) => socket.send(JSON.stringify({ ...hello(), version: hello().version - 1 })),
  ],
  ['of another protocol', 'caveman.v9', () => {}],
  ['of no protocol', false, () => {}],
  ['that talks nonsense', SUBPROTOCOL, (socket) => socket.send('no JSON at all')],
  ['that sends bytes', SUBPROTOCOL, (socket) => socket.send(Buffer.alloc(1000, 255))],
])('a daemon %s: the verbs say what to do, and give no wrong result', async (_, subprotocol, speak) => {
  await otherDaemon(subprotocol, speak);
  for (const args of [['list'], ['show', 'cv00000000'], ['status'], ['gc']]) {
    const ran = await runCli(args, { home });
    expect(ran.stdout.toString()).toBe('');
    expect(ran.stderr).toMatch(/^caveman: [^\n]*caveman daemon restart[^\n]*\n$/);
    expect(ran.exit).toBe(125);
  }
});
