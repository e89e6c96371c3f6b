import type { Database, Key } from 'lmdb';
import type { Databases } from './databases.ts';

interface Staged {
  database: Database;
  key: Key;
  /** Undefined: remove. */
  value: unknown;
}

/**
 * A set of changes that is decided first and then committed as one: reads see what was staged before them.
 * (lmdb-js's transactions with callbacks either block on the disk flush or need a second thread's consent in
 * mid-transaction; a conditional batch needs neither.)
 */
export class Changes {
  readonly databases: Databases;
  /** Chunks and their uncompressed bytes that these changes remove, and blobs. */
  readonly freed = { chunks: 0, bytes: 0, blobs: 0 };
  private readonly staged = new Map<Database, Map<string, Staged>>();
  private readonly under: Changes | null;

  /** `under`: changes that these stand on and may be merged into. */
  constructor(databases: Databases, under: Changes | null = null) {
    this.databases = databases;
    this.under = under;
  }

  get<V, K extends Key>(database: Database<V, K>, key: K): V | undefined {
    const name = nameOf(key);
    for (let changes: Changes | null = this; changes !== null; changes = changes.under) {
      const staged = changes.staged.get(database)?.get(name);
      if (staged !== undefined) return staged.value as V | undefined;
    }
    return database.get(key);
  }

  put<V, K extends Key>(database: Database<V, K>, key: K, value: V): void {
    this.stage(database, { database, key, value });
  }

  remove<V, K extends Key>(database: Database<V, K>, key: K): void {
    this.stage(database, { database, key, value: undefined });
  }

  /** Hands what is staged here to the changes under it. */
  merge(): void {
    for (const changes of this.staged.values()) {
      for (const change of changes.values()) this.under?.stage(change.database, change);
    }
  }

  get empty(): boolean {
    return this.staged.size === 0;
  }

  /** Queues every staged change on its database; to be called inside one lmdb batch, whose promise tells how it went. */
  queue(): void {
    for (const changes of this.staged.values()) {
      for (const { database, key, value } of changes.values()) {
        ignoreFailure(value === undefined ? database.remove(key) : database.put(key, value));
      }
    }
  }

  private stage(database: Database, change: Staged): void {
    let changes = this.staged.get(database);
    if (changes === undefined) {
      changes = new Map();
      this.staged.set(database, changes);
    }
    changes.set(nameOf(change.key), change);
  }
}

/** Every write of a failed batch rejects, not only the batch: one report is enough. */
export function ignoreFailure(written: Promise<unknown>): void {
  written.catch((error: { commitError?: Promise<unknown> }) => error.commitError?.catch(() => {}));
}

function nameOf(key: Key): string {
  if (typeof key === 'string') return key;
  return Buffer.isBuffer(key) ? key.toString('latin1') : JSON.stringify(key);
}
