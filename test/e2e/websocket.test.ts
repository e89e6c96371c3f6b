import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect as connectSocket, createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Client } from '../../src/client/client.ts';
import { connect } from '../../src/client/connect.ts';
import { probe } from '../../src/client/probe.ts';
import { decodeFrame, encodeFrame } from '../../src/protocol/frames.ts';
import { hello } from '../../src/protocol/messages.ts';
import { STATUS, textOf, WorkerUnderTest } from '../helpers/worker-process.ts';

const log = readFileSync(fileURLToPath(new URL('../fixtures/build.log', import.meta.url)));

async function* parts(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('caveman.v1', () => {
  const worker = new WorkerUnderTest();
  const socketPath = join(worker.home, 'run', 'caveman.sock');
  let client: Client;
  const raws: WebSocket[] = [];

  beforeEach(async () => {
    process.env['CAVEMAN_HOME'] = worker.home;
    await worker.start();
    client = await connect();
  });
  afterEach(async () => {
    for (const raw of raws.splice(0)) raw.terminate();
    await client.close();
    await worker.stop();
  });
  afterAll(() => worker.remove());

  /** A peer of our own making, past the client. */
  function raw(greet = true, protocols: string | string[] = 'caveman.v1'): Promise<WebSocket> {
    const socket = new WebSocket('ws://localhost/', protocols, {
      createConnection: () => connectSocket(socketPath),
      perMessageDeflate: false,
      maxPayload: 64 * 1024 * 1024,
    });
    raws.push(socket);
    return new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('open', () => {
        if (!greet) return resolve(socket);
        socket.once('message', () => resolve(socket));
        socket.send(JSON.stringify(hello()));
      });
    });
  }
  const next = (socket: WebSocket): Promise<Buffer> =>
    new Promise((resolve) => socket.once('message', (data) => resolve(data as Buffer)));
  const closed = (socket: WebSocket): Promise<number> =>
    new Promise((resolve) => socket.once('close', (code) => resolve(code)));
  async function collect(handle: string, select = {}): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    await client.expand({ handle, select }, (chunk) => void chunks.push(chunk));
    return Buffer.concat(chunks);
  }

  it('archives what is put and expands it, whole and in part, by handle and by prefix', async () => {
    const bytes = Buffer.concat([log, randomBytes(3 * 1024 * 1024)]);
    const put = await client.put({ command: 'make', exit: 2 }, parts(bytes, 100_000));
    expect(put).toMatchObject({
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    expect((await collect(put.handle)).equals(bytes)).toBe(true);
    expect((await collect(put.handle.slice(0, 9), { lines: [1, 1] })).toString()).toBe('$ npm run build\n');
    const result = await client.expand({ handle: put.handle, select: {} }, () => {});
    expect(result).toEqual({ handle: put.handle, bytes: bytes.length, sha256: put.sha256, note: null });
  });

  it('lists, shows with tokens, pins, forgets and collects', async () => {
    const { stdout } = await worker.project([worker.spool('stdout', log)], { exit: 3, session: 'mine' });
    const handle = /cv\w{8,}/.exec(textOf(stdout))?.[0] ?? '';
    const { captures } = await client.request('list', { session: 'mine' });
    expect(captures).toHaveLength(1);
    expect(captures[0]).toMatchObject({
      handle,
      exit: 3,
      linesBefore: 124,
      linesAfter: 9,
      source: 'terminal',
    });
    const shown = await client.request('show', { handle });
    expect(shown.streams).toMatchObject([{ name: 'stdout', bytes: log.length, lines: 124 }]);
    expect(shown.captures[0]).toMatchObject({ tokensBefore: 3880, tokensEstimated: false });
    expect(await client.request('pin', { handle, pinned: true })).toEqual({ handle, pinned: true });
    expect((await client.request('show', { handle })).captures[0]?.pinned).toBe(true);
    expect(await client.request('gc', {})).toMatchObject({ captures: 0 });
    expect((await client.request('forget', { handle })).captures).toBeGreaterThanOrEqual(1);
    await expect(client.request('show', { handle })).rejects.toMatchObject({ code: 'forgotten-handle' });
  });

  it('names a near handle for a misspelt one', async () => {
    const { handle } = await client.put({ command: '', exit: 0 }, parts(Buffer.from('near\n'), 10));
    const misspelt = handle.slice(0, -1) + (handle.endsWith('0') ? '1' : '0');
    await expect(client.request('show', { handle: misspelt })).rejects.toMatchObject({
      code: 'unknown-handle',
      suggestions: expect.arrayContaining([handle]),
    });
  });

  it('tells the status of both processes, and passes stop on after answering', async () => {
    const status = await client.request('status', {});
    expect(status.daemon).toEqual(STATUS);
    expect(status.workerPid).toBe(worker.child.pid);
    expect(status.archive.trouble).toBe('');
    expect(await client.request('stop', {})).toEqual({ pid: process.pid });
    await worker.until((message) => message.type === 'askStop');
  });

  it('runs many requests at once on one connection', async () => {
    const bytes = randomBytes(2 * 1024 * 1024);
    const { handle } = await client.put({ command: '', exit: 0 }, parts(bytes, 65536));
    const all = await Promise.all(Array.from({ length: 12 }, () => collect(handle)));
    expect(all.every((got) => got.equals(bytes))).toBe(true);
    const shows = await Promise.all(Array.from({ length: 40 }, () => client.request('show', { handle })));
    expect(shows.every((show) => show.handle === handle)).toBe(true);
  });

  it('stops when the taker of the bytes fails, and the connection lives on', async () => {
    const { handle } = await client.put({ command: '', exit: 0 }, parts(randomBytes(4_000_000), 65536));
    const fails = client.expand({ handle, select: {} }, () => Promise.reject(new Error('no more')));
    await expect(fails).rejects.toThrow('no more');
    expect((await client.request('show', { handle })).handle).toBe(handle);
  });

  it('sends no byte beyond the credit', async () => {
    const { handle } = await client.put({ command: '', exit: 0 }, parts(randomBytes(1_000_000), 65536));
    const peer = await raw();
    const request = (message: object): void => peer.send(JSON.stringify(message));
    let got = 0;
    let whole = (): void => {};
    peer.on('message', (data: Buffer, binary: boolean) => {
      if (binary) got += decodeFrame(data).payload.length;
      else whole();
    });
    request({ type: 'expand', id: 1, params: { handle, select: {} } });
    request({ type: 'credit', id: 1, bytes: 1000 });
    // The answer to a later request comes when the first one has run as far as it may.
    const answered = new Promise<void>((resolve) => {
      whole = resolve;
    });
    request({ type: 'show', id: 2, params: { handle } });
    await answered;
    expect(got).toBeLessThanOrEqual(1000);
  });

  it('drops a peer that sends bytes without credit', async () => {
    const { handle } = await client.put({ command: '', exit: 0 }, parts(Buffer.from('few\n'), 10));
    const peer = await raw();
    const end = closed(peer);
    // Runs as long as it is granted nothing, and grants nothing itself.
    peer.send(JSON.stringify({ type: 'expand', id: 1, params: { handle, select: {} } }));
    peer.send(encodeFrame({ id: 1, last: false, payload: new Uint8Array(1) }));
    expect(await end).toBe(1008);
  });

  it('refuses what is too long or in too many pieces', async () => {
    const long = await raw();
    const longEnd = closed(long);
    long.send('x'.repeat(2 * 1024 * 1024));
    expect(await longEnd).toBe(1009);
    const pieces = await raw();
    const piecesEnd = closed(pieces);
    for (let i = 0; i < 1000 && pieces.readyState === pieces.OPEN; i++) pieces.send('x', { fin: false });
    expect(await piecesEnd).toBe(1008);
    expect((await client.request('status', {})).workerPid).toBe(worker.child.pid);
  });

  it('answers a bad request by its id and goes on', async () => {
    const peer = await raw();
    peer.send('{"type":"show","id":5,"params":{}}');
    expect(JSON.parse((await next(peer)).toString())).toMatchObject({
      type: 'error',
      id: 5,
      error: { code: 'bad-request' },
    });
    peer.send('{"type":"teleport","id":6,"params":{}}');
    expect(JSON.parse((await next(peer)).toString())).toMatchObject({
      id: 6,
      error: { code: 'version-mismatch' },
    });
    const end = closed(peer);
    peer.send('no JSON');
    expect(JSON.parse((await next(peer)).toString())).toMatchObject({
      id: 0,
      error: { code: 'bad-request' },
    });
    expect(await end).toBe(1008);
  });

  it('tells an older or newer peer what to do', async () => {
    const say = async (version: number): Promise<string> => {
      const peer = await raw(false);
      const answer = next(peer);
      peer.send(JSON.stringify({ ...hello(), version }));
      const { error } = JSON.parse((await answer).toString());
      expect(error.code).toBe('version-mismatch');
      return error.message;
    };
    expect(await say(2)).toContain('caveman daemon restart');
    await expect(raw(false, 'caveman.v9')).rejects.toThrow(/subprotocol/);
  });

  it('closes on a peer that never greets', async () => {
    const peer = await raw(false);
    expect(await closed(peer)).toBe(1008);
  });

  it('rejects what is under way when the worker dies', async () => {
    const { handle } = await client.put({ command: '', exit: 0 }, parts(randomBytes(4_000_000), 65536));
    const exited = worker.exited();
    const cut = client.expand({ handle, select: {} }, async () => {
      worker.child.kill('SIGKILL');
      await exited;
    });
    await expect(cut).rejects.toMatchObject({ code: 'daemon-down' });
    await expect(client.request('gc', {})).rejects.toMatchObject({ code: 'daemon-down' });
    await expect(connect()).rejects.toMatchObject({ code: 'daemon-down' });
    expect((await probe()).state).toBe('down');
    await exited;
    await worker.start();
    expect(await probe()).toEqual({ state: 'up', problem: '' });
  });

  it('knows a hung daemon and a foreign path', async () => {
    await worker.stop();
    const server = createServer((socket) => socket.resume());
    await new Promise<void>((resolve) => server.listen(socketPath, resolve));
    expect((await probe({ timeoutMs: 50 })).state).toBe('hung');
    await new Promise((resolve) => server.close(resolve));
    writeFileSync(socketPath, '');
    expect((await probe()).state).toBe('foreign');
    renameSync(socketPath, `${socketPath}.old`);
    symlinkSync('/dev/null', socketPath);
    expect((await probe()).state).toBe('foreign');
    renameSync(socketPath, `${socketPath}.link`);
    chmodSync(join(worker.home, 'run'), 0o755);
    expect((await probe()).state).toBe('foreign');
    chmodSync(join(worker.home, 'run'), 0o700);
    await worker.start();
  });
});
