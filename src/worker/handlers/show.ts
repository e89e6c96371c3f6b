import type { Archive, StoredCapture } from '../../archive/types.ts';
import { type Sample, Sampler } from '../../runtime/tokens/sampler.ts';
import { captureRow } from '../capture-row.ts';
import type { Context } from '../context.ts';
import type { Handler } from './handler.ts';

const MAX_CAPTURES = 100;
const MAX_COMMAND_CHARACTERS = 4_000;
/** Counting on demand reads the streams again; beyond this it is not worth anyone's wait. */
const MAX_COUNTED_BYTES = 16 * 1024 * 1024;

export const show: Handler<'show'> = async (params, context) => {
  const archive = context.archive();
  const handle = archive.resolve(params.handle, { prefix: true });
  const newest = archive.captures(handle)[0];
  if (newest && newest.view.tokensBefore === null) await countNow(archive, newest, context);
  const captures = archive.captures(handle);
  return {
    handle,
    streams: (captures[0]?.streams ?? []).map(({ name, bytes, lines, sha256 }) => ({
      name,
      bytes,
      lines,
      sha256,
    })),
    captures: captures.slice(0, MAX_CAPTURES).map((capture) => captureRow(capture, MAX_COMMAND_CHARACTERS)),
  };
};

async function countNow(archive: Archive, capture: StoredCapture, context: Context): Promise<void> {
  const streams = capture.streams.filter((stream) => stream.name !== 'late');
  if (streams.some((stream) => stream.lost || stream.bytes > MAX_COUNTED_BYTES)) return;
  try {
    const before = streams.map((stream) => {
      const sampler = new Sampler(stream.bytes);
      for (const chunk of archive.read(capture.handle, stream.name)) sampler.push(chunk);
      return sampler.sample();
    });
    const text = capture.view.sha256 === '' ? null : archive.viewText(capture.handle);
    await context.tokens.count({
      captureId: capture.facts.id,
      before,
      after: text === null ? null : [whole(text)],
    });
  } catch (error) {
    context.log.warn({ capture: capture.facts.id, reason: (error as Error).message }, 'tokens not counted');
  }
}

function whole(text: string): Sample {
  const bytes = new TextEncoder().encode(text);
  return { totalBytes: bytes.length, pieces: [bytes] };
}
