import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';

/**
 * LMDB maps its file and trusts it: a cut one kills the process with SIGBUS. So before it is opened the file's
 * meta pages are read and its length is compared with what they promise. Offsets are those of LMDB's
 * `MDB_page` and `MDB_meta` (liblmdb/mdb.c, data version 2, 64-bit).
 */
const PAGE_HEADER = 24;
const META_MAGIC = 0xbeefc0de;
const META_BYTES = 4096;

/**
 * '' when the file may be opened (or does not exist, or is empty); else what is wrong with it, in a few words.
 * A file that lacks only pages behind its tree roots is lengthened with zeros: what was in them is found
 * missing when it is read, by its hash, and the rest stays readable.
 */
export function unsoundness(path: string): string {
  let fd: number;
  try {
    fd = openSync(path, 'r+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return 'it is not a plain file';
    if (stat.size === 0) return '';
    const page = Buffer.alloc(META_BYTES);
    if (readSync(fd, page, 0, META_BYTES, 0) < META_BYTES) return 'it was cut short';
    if (page.readUInt32LE(PAGE_HEADER) !== META_MAGIC) return 'it is not an LMDB file';
    const pageSize = page.readUInt32LE(PAGE_HEADER + 24);
    if (pageSize < 256 || pageSize > 65536 || (pageSize & (pageSize - 1)) !== 0)
      return 'its header is damaged';
    const { rootsEnd, end } = promisedPages(fd, pageSize);
    if (stat.size < pageSize * rootsEnd) return 'it was cut short';
    if (stat.size < pageSize * end) ftruncateSync(fd, pageSize * end);
    return '';
  } finally {
    closeSync(fd);
  }
}

/** How many pages the newest meta record promises: up to its tree roots, and in all. */
function promisedPages(fd: number, pageSize: number): { rootsEnd: number; end: number } {
  let newest = -1n;
  let promised = { rootsEnd: 2, end: 2 };
  // Three records: one on each of two pages and, for overlapping flushes, one in the second half of the first.
  for (const offset of [0, pageSize >> 1, pageSize]) {
    const meta = Buffer.alloc(256);
    if (readSync(fd, meta, 0, meta.length, offset) < meta.length)
      return { rootsEnd: Infinity, end: Infinity };
    if (meta.readUInt32LE(PAGE_HEADER) !== META_MAGIC) continue;
    // magic 4, version 4, address 8, map size 8, two MDB_db of 48 bytes, last page 8, transaction 8
    const databases = PAGE_HEADER + 24;
    const transaction = meta.readBigUInt64LE(databases + 104);
    if (transaction <= newest) continue;
    newest = transaction;
    const roots = [databases + 40, databases + 88].map((at) => Number(meta.readBigInt64LE(at)) + 1);
    const end = Math.max(2, Number(meta.readBigInt64LE(databases + 96)) + 1);
    promised = { rootsEnd: Math.max(2, ...roots), end };
  }
  return promised;
}

/** Moves a file that cannot be opened out of the way, with its lock file removed; returns the new path. */
export function moveAside(path: string, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replace(/[-:]/g, '').replace(/\..*/, 'Z');
  let to = `${path}.damaged-${stamp}`;
  for (let n = 2; exists(to); n++) to = `${path}.damaged-${stamp}-${n}`;
  renameSync(path, to);
  rmSync(`${path}-lock`, { force: true });
  return to;
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
