import { createHash, type Hash } from 'node:crypto';
import type { StreamName } from '../protocol/capture.ts';
import { EMPTY_SHA256, sha256 } from './blobs.ts';
import type { TakenStream } from './captures.ts';
import { CHUNK_BYTES } from './records.ts';

/** First size of the buffer that gathers a chunk: most commands print little. */
const FIRST_BUFFER_BYTES = 4 * 1024;
const LF = 10;

export interface Chunk {
  digest: Buffer;
  bytes: Buffer;
}

/** Which part of a large stream a chunk belongs to. */
interface KeptPart {
  chunks: { digest: Buffer; bytes: number }[];
  bytes: number;
}

/**
 * One stream on its way in: cut into chunks, hashed and its lines counted. `head` and `tail` are what is kept;
 * who decides on that is the intake (intake.ts).
 */
export class StreamIntake {
  readonly name: StreamName;
  readonly head: KeptPart = { chunks: [], bytes: 0 };
  readonly tail: KeptPart = { chunks: [], bytes: 0 };
  bytes = 0;
  private gathered: Buffer = Buffer.alloc(0);
  private filled = 0;
  private newlines = 0;
  private lastByte = LF;
  private whole: Hash | null = null;
  private onlyDigest = EMPTY_SHA256;

  constructor(name: StreamName) {
    this.name = name;
  }

  /** Takes up to the rest of a chunk from `bytes` (copied); returns how much it took. */
  gather(bytes: Uint8Array): number {
    const take = Math.min(bytes.length, CHUNK_BYTES - this.filled);
    const need = this.filled + take;
    if (need > this.gathered.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.min(CHUNK_BYTES, Math.max(FIRST_BUFFER_BYTES, need, this.gathered.length * 2)),
      );
      this.gathered.copy(larger, 0, 0, this.filled);
      this.gathered = larger;
    }
    this.gathered.set(take === bytes.length ? bytes : bytes.subarray(0, take), this.filled);
    this.filled = need;
    this.bytes += take;
    return take;
  }

  get full(): boolean {
    return this.filled === CHUNK_BYTES;
  }

  /** Closes the gathered chunk and returns it; null when nothing is gathered. `last`: the stream ends here. */
  cut(last: boolean): Chunk | null {
    if (this.filled === 0) return null;
    const bytes = this.gathered.subarray(0, this.filled);
    const digest = sha256(bytes);
    // A stream of one chunk has that chunk's digest: no second pass over it.
    if (this.whole === null && last) this.onlyDigest = digest.toString('hex');
    else this.whole = (this.whole ?? createHash('sha256')).update(bytes);
    this.newlines += countNewlines(bytes);
    this.lastByte = bytes[bytes.length - 1]!;
    this.gathered = Buffer.alloc(0);
    this.filled = 0;
    return { digest, bytes };
  }

  /** The stream as a blob. To be asked once, after the last cut. */
  taken(): TakenStream {
    const lost = this.bytes - this.head.bytes - this.tail.bytes;
    const kept = [...this.head.chunks, ...this.tail.chunks];
    return {
      name: this.name,
      sha256: this.whole === null ? this.onlyDigest : this.whole.digest('hex'),
      blob: {
        bytes: this.bytes,
        lines: this.newlines + (this.lastByte === LF ? 0 : 1),
        chunks: Buffer.concat(kept.map((chunk) => chunk.digest)),
        lost: lost === 0 ? null : { from: this.head.bytes, to: this.bytes - this.tail.bytes },
      },
    };
  }
}

/** A plain loop: one native search per line would cost more than this for short lines. */
function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === LF) count++;
  return count;
}
