import { hash as digestOf } from 'node:crypto';
import { CavemanError } from '../protocol/errors.ts';
import type { Changes } from './changes.ts';
import type { Databases } from './databases.ts';
import type { BlobRecord } from './records.ts';

/** SHA-256 of some bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Buffer {
  return digestOf('sha256', bytes, 'buffer');
}

/** SHA-256 of no bytes, hex: the digest of an empty or absent stream. */
export const EMPTY_SHA256: string = sha256(Buffer.alloc(0)).toString('hex');

/** Counts one more use of a chunk; its bytes are stored with the first. */
export function useChunk(changes: Changes, digest: Buffer, bytes: Buffer): void {
  const { chunks, chunkUses } = changes.databases;
  const known = changes.get(chunkUses, digest);
  if (known === undefined) changes.put(chunks, digest, bytes);
  changes.put(chunkUses, digest, { uses: (known?.uses ?? 0) + 1, bytes: bytes.length });
}

/** Takes back one use of a chunk; its bytes go with the last. */
export function releaseChunk(changes: Changes, digest: Buffer): void {
  const { chunks, chunkUses } = changes.databases;
  const known = changes.get(chunkUses, digest);
  if (known === undefined) return;
  if (known.uses > 1) {
    changes.put(chunkUses, digest, { uses: known.uses - 1, bytes: known.bytes });
    return;
  }
  changes.remove(chunkUses, digest);
  changes.remove(chunks, digest);
  changes.freed.chunks++;
  changes.freed.bytes += known.bytes;
}

/** Counts one more use of a blob that is already stored. */
export function useBlob(changes: Changes, sha: string): void {
  const blob = changes.get(changes.databases.blobs, sha);
  if (blob !== undefined) changes.put(changes.databases.blobs, sha, { ...blob, uses: blob.uses + 1 });
}

/** Takes back one use of a blob; its chunks are released with the last. */
export function releaseBlob(changes: Changes, sha: string): void {
  const { blobs } = changes.databases;
  const blob = changes.get(blobs, sha);
  if (blob === undefined) return;
  if (blob.uses > 1) {
    changes.put(blobs, sha, { ...blob, uses: blob.uses - 1 });
    return;
  }
  changes.remove(blobs, sha);
  changes.freed.blobs++;
  for (const digest of digestsOf(blob)) releaseChunk(changes, digest);
}

/**
 * Makes sure that a blob is stored, unused so far: the chunk uses of `blob` pass to it, or are taken back when
 * the same stream is stored already. A stored one with a larger loss is replaced.
 */
export function storeBlob(changes: Changes, sha: string, blob: Omit<BlobRecord, 'uses'>): void {
  const { blobs } = changes.databases;
  const known = changes.get(blobs, sha);
  if (known === undefined) {
    changes.put(blobs, sha, { ...blob, uses: 0 });
  } else if (lossOf(blob) < lossOf(known)) {
    changes.put(blobs, sha, { ...blob, uses: known.uses });
    for (const digest of digestsOf(known)) releaseChunk(changes, digest);
  } else {
    for (const digest of digestsOf(blob)) releaseChunk(changes, digest);
  }
}

function lossOf({ lost }: { lost: BlobRecord['lost'] }): number {
  return lost === null ? 0 : lost.to - lost.from;
}

function* digestsOf(blob: { chunks: Uint8Array }): Iterable<Buffer> {
  const all = Buffer.from(blob.chunks);
  for (let at = 0; at < all.length; at += 32) yield all.subarray(at, at + 32);
}

/**
 * The kept bytes of a stream in order, each chunk checked against its hash before it is given out. Where a
 * middle part was lost the two parts follow one another: the caller knows `lost` from the stream's record.
 * Throws `damaged-archive`.
 */
export function* readBlob(databases: () => Databases, sha: string): Iterable<Buffer> {
  const blob = databases().blobs.get(sha);
  if (blob === undefined) throw damaged(sha);
  for (const digest of digestsOf(blob)) {
    const bytes = databases().chunks.getBinary(digest);
    // getBinary gives memory of its own, so the reader may keep it; empty chunks are never stored.
    if (bytes === undefined || !sha256(bytes).equals(digest)) throw damaged(sha);
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }
}

function damaged(sha: string): CavemanError {
  return new CavemanError(
    'damaged-archive',
    `the archived bytes of stream ${sha.slice(0, 12)} are damaged and are not shown; run the command again`,
  );
}
