import { createHash } from 'node:crypto';
import { selected } from '../selected.ts';
import type { Handler } from './handler.ts';

export const expand: Handler<'expand'> = async (params, context, exchange) => {
  const archive = context.archive();
  const handle = archive.resolve(params.handle, { prefix: true });
  const part = selected(archive, handle, params.select, context.turnstile);
  const hash = part.sha256 === null ? createHash('sha256') : null;
  let bytes = 0;
  for await (const chunk of part.chunks) {
    hash?.update(chunk);
    bytes += chunk.length;
    await exchange.send(chunk);
  }
  await archive.markShown(handle, Date.now());
  return { handle, bytes, sha256: part.sha256 ?? hash?.digest('hex') ?? '', note: part.note };
};
