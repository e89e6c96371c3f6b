import { type Database, open, type RootDatabase } from 'lmdb';
import type { BlobRecord, CaptureRecord, ChunkUse, HandleRecord } from './records.ts';

/** Sort key of the time indexes: milliseconds since 1970, then the capture id. */
export type TimeKey = [number, string];

/** The named databases of the archive's one LMDB environment. */
export interface Databases {
  root: RootDatabase;
  /** `format`, and `generation`: its version guards every change (see environment.ts). */
  meta: Database<number, string>;
  /** SHA-256 (32 bytes) → the chunk, LZ4-compressed by lmdb-js. */
  chunks: Database<Buffer, Buffer>;
  chunkUses: Database<ChunkUse, Buffer>;
  /** SHA-256 of a whole stream (hex) → its chunks. */
  blobs: Database<BlobRecord, string>;
  handles: Database<HandleRecord, string>;
  captures: Database<CaptureRecord, string>;
  byTime: Database<number, TimeKey>;
  bySession: Database<number, [string, ...TimeKey]>;
  byHandle: Database<number, [string, ...TimeKey]>;
  /** [zone, ms, handle]: who may be evicted, in order (see eviction.ts). */
  order: Database<number, [number, number, string]>;
  pins: Database<number, string>;
  /** Capture id → the text that was shown. */
  texts: Database<string, string>;
  /** SHA-256 (hex) of a text that was sent → its sequence number, and back. */
  sent: Database<number, string>;
  sentOrder: Database<string, number>;
  /** [writer, n] → SHA-256 (hex) of a chunk that an unfinished capture holds. */
  pending: Database<string, [string, number]>;
}

/**
 * Address space to reserve, bytes. One value for every process and limit: LMDB processes that disagree
 * would have to remap under each other's transactions. The file itself only grows as it is used.
 */
const MAP_BYTES = 64 * 1024 ** 3;
/** Reader slots: parallel readers of one machine, far above LMDB's default of 126. */
const MAX_READERS = 1024;
/** LZ4 with no dictionary: lmdb-js's own would change what the bytes mean from one release to the next. */
const COMPRESSION = { threshold: 256, dictionary: Buffer.alloc(0) };

/** Opens (or creates) the environment; files get mode 0600 whatever the umask lets through. Throws LMDB's errors. */
export function openDatabases(path: string): Databases {
  const options = {
    path,
    maxDbs: 20,
    maxReaders: MAX_READERS,
    mapSize: MAP_BYTES,
    permissionsMode: 0o600,
    // A batch that lmdb-js begins on its own has a promise that nobody can get hold of: when the commit fails,
    // its rejection would end the process. The archive batches its writes itself.
    eventTurnBatching: false,
  };
  const old = process.umask(0o077);
  try {
    const root = open(options);
    const binary = { encoding: 'binary', keyEncoding: 'binary', compression: COMPRESSION } as const;
    return {
      root,
      meta: root.openDB('meta', { useVersions: true }),
      chunks: root.openDB('chunks', binary),
      chunkUses: root.openDB('chunk-uses', { keyEncoding: 'binary' }),
      blobs: root.openDB('blobs', {}),
      handles: root.openDB('handles', {}),
      captures: root.openDB('captures', { compression: COMPRESSION }),
      byTime: root.openDB('by-time', {}),
      bySession: root.openDB('by-session', {}),
      byHandle: root.openDB('by-handle', {}),
      order: root.openDB('order', {}),
      pins: root.openDB('pins', {}),
      texts: root.openDB('texts', { compression: COMPRESSION }),
      sent: root.openDB('sent', {}),
      sentOrder: root.openDB('sent-order', {}),
      pending: root.openDB('pending', {}),
    } as Databases;
  } finally {
    process.umask(old);
  }
}

interface PageCounts {
  pageSize: number;
  treeBranchPageCount: number;
  treeLeafPageCount: number;
  overflowPages: number;
  entryCount: number;
}

/** Number of entries, without a scan. */
export function entryCount(database: Database): number {
  return (database.getStats() as PageCounts).entryCount;
}

/** Bytes in use: pages of all databases, so after compression and with their indexes. No scan. */
export function bytesInUse(databases: Databases): number {
  let bytes = 0;
  for (const database of Object.values(databases) as Database[]) {
    const counts = database.getStats() as PageCounts;
    bytes += counts.pageSize * (counts.treeBranchPageCount + counts.treeLeafPageCount + counts.overflowPages);
  }
  return bytes;
}
