import { createHash, randomBytes } from 'node:crypto';
import type { CaptureFacts } from '../../protocol/capture.ts';
import { literalStoredView } from '../stored-view.ts';
import type { Handler } from './handler.ts';

/** Archives the input of `compress` as a capture of its own; its handle counts as shown. */
export const put: Handler<'put'> = async (params, context, exchange) => {
  const archive = context.archive();
  const writer = archive.writer();
  const startedAtMs = Date.now();
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of exchange.receive()) {
      await context.turnstile.turn();
      hash.update(chunk);
      bytes += chunk.length;
      await writer.write('stdout', chunk);
    }
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const facts: CaptureFacts = {
    id: randomBytes(8).toString('hex'),
    command: params.command,
    commandBytes: Buffer.byteLength(params.command),
    argument: '',
    cwd: '',
    agent: 'compress',
    session: '',
    startedAtMs,
    durationMs: Date.now() - startedAtMs,
    exit: params.exit,
    signal: null,
    mode: 'pipe',
    flags: { killed: false, raw: false, literal: false },
  };
  const { handle, streams } = await writer.seal(facts);
  const lines = streams.reduce((sum, stream) => sum + stream.lines, 0);
  await Promise.all([
    archive.setView(facts.id, literalStoredView(lines, 'archived by compress'), null),
    archive.markShown(handle, Date.now()),
  ]);
  return { handle, bytes, sha256: hash.digest('hex') };
};
