import { CavemanError } from './errors.ts';

/**
 * A binary frame of `caveman.v1`: bytes that belong to one request.
 * Layout: u32 request id, big endian · u8 flags (bit 0: last frame of this request) · payload.
 */
export interface Frame {
  id: number;
  last: boolean;
  payload: Uint8Array;
}

export const FRAME_HEADER_BYTES = 5;
/** Largest payload either end puts in one frame; small enough that other requests get their turn. */
export const FRAME_PAYLOAD_BYTES = 256 * 1024;
const LAST = 1;

export function encodeFrame(frame: Frame): Uint8Array {
  const out = new Uint8Array(FRAME_HEADER_BYTES + frame.payload.length);
  new DataView(out.buffer).setUint32(0, frame.id);
  out[4] = frame.last ? LAST : 0;
  out.set(frame.payload, FRAME_HEADER_BYTES);
  return out;
}

/** The payload is a view into `bytes`, not a copy. Throws `bad-request` on a short frame or an unknown flag. */
export function decodeFrame(bytes: Uint8Array): Frame {
  if (bytes.length < FRAME_HEADER_BYTES) {
    throw new CavemanError('bad-request', `a binary frame needs ${FRAME_HEADER_BYTES} bytes of header`);
  }
  const flags = bytes[4] ?? 0;
  if ((flags & ~LAST) !== 0) {
    throw new CavemanError(
      'version-mismatch',
      'unknown frame flag; restart the daemon: caveman daemon restart',
    );
  }
  const id = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  return { id, last: (flags & LAST) !== 0, payload: bytes.subarray(FRAME_HEADER_BYTES) };
}
