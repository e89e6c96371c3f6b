import { chmodSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CavemanError } from '../protocol/errors.ts';
import { privateDirectory } from '../runtime/private-dir.ts';
import { Changes, ignoreFailure } from './changes.ts';
import { type Databases, openDatabases } from './databases.ts';
import { commitFault, faultOf } from './faults.ts';
import { FORMAT_VERSION } from './records.ts';
import { moveAside, unsoundness } from './soundness.ts';

/** Gives up a change after this many lost races with another process. */
const MAX_RACES = 100;

/** Most changes that one commit takes together. */
const MAX_GROUP = 64;
/** Once a group brings this many bytes it takes no more: LMDB holds them twice until they are written. */
const MAX_GROUP_BYTES = 8 * 1024 * 1024;

/** A change that waits for its commit. */
interface Waiting {
  bytes: number;
  /** Stages the change and keeps its result. */
  decide(changes: Changes): void;
  done(): void;
  fail(error: unknown): void;
}

/**
 * The open LMDB environment. Every change is one conditional batch: it commits only if `generation` is still
 * what it was when the change was decided, so two processes cannot undo each other. Changes of this process
 * that wait for one another are committed together. A commit survives a killed process when it resolves; lmdb-js flushes it to the disk
 * right afterwards (overlapping sync), so a power cut can lose the last second but not the archive.
 */
export class Environment {
  readonly path: string;
  /** One line about what went wrong with the file, '' when all is well. */
  trouble = '';
  private readonly directory: string;
  private readonly now: () => number;
  private open: Databases | null = null;
  private identity = '';
  /** The last commit failed: lmdb-js then waits for ever for its flush when it is asked to close. */
  private failed = false;
  private readonly waiting: Waiting[] = [];
  private committing: Promise<void> | null = null;

  constructor(directory: string, now: () => number) {
    this.directory = directory;
    this.path = join(directory, 'archive.mdb');
    this.now = now;
    this.start();
  }

  get databases(): Databases {
    if (this.open === null) {
      throw new CavemanError('archive-unavailable', `${this.path} is closed; run caveman daemon start`);
    }
    return this.open;
  }

  /**
   * Commits what `decide` stages and resolves to its result. `decide` is synchronous, may throw, and may run
   * again when another process got in between. `bytes`: about how many it stores. Rejects with a CavemanError;
   * nothing is changed then.
   */
  change<T>(decide: (changes: Changes) => T, bytes = 0): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T;
      this.waiting.push({
        bytes,
        decide: (changes) => {
          result = decide(changes);
        },
        done: () => resolve(result),
        fail: (error) => reject(faultOf(error, this.path)),
      });
      this.committing ??= this.commitAll();
    });
  }

  /** Waits for the changes under way and closes. */
  async close(): Promise<void> {
    await this.committing;
    const databases = this.open;
    this.open = null;
    const closing = databases?.root.close();
    if (!this.failed) await closing;
  }

  /** Runs a read, with LMDB's errors turned into lines for people. */
  read<T>(query: (databases: Databases) => T): T {
    try {
      return query(this.databases);
    } catch (error) {
      throw faultOf(error, this.path);
    }
  }

  private async commitAll(): Promise<void> {
    while (this.waiting.length > 0) {
      const group = this.nextGroup();
      try {
        await this.commit(group);
      } catch (error) {
        // One of them may be what failed (too large for the disk, say): the others get their own commit.
        if (group.length === 1) group[0]!.fail(error);
        else for (const one of group) await this.commit([one]).catch((own) => one.fail(own));
      }
    }
    this.committing = null;
  }

  private nextGroup(): Waiting[] {
    let bytes = 0;
    let size = 0;
    while (size < this.waiting.length && size < MAX_GROUP && bytes < MAX_GROUP_BYTES) {
      bytes += this.waiting[size++]!.bytes;
    }
    return this.waiting.splice(0, size);
  }

  private async commit(group: Waiting[]): Promise<void> {
    if (this.identity !== identityOf(this.path)) await this.restore();
    for (let race = 0; race < MAX_RACES; race++) {
      const databases = this.databases;
      const generation = databases.meta.getEntry('generation')?.version ?? 0;
      const all = new Changes(databases);
      const failed = stageAll(group, all);
      if (all.empty || (await this.write(databases, generation, all))) {
        for (const one of group) if (!failed.has(one)) one.done();
        for (const [one, error] of failed) one.fail(error);
        return;
      }
      databases.root.resetReadTxn();
    }
    throw new CavemanError('busy', `${this.path} is busy with another process; try again`);
  }

  /** One conditional batch; false when another process has committed since `generation` was read. */
  private async write(databases: Databases, generation: number, all: Changes): Promise<boolean> {
    try {
      const done = await databases.meta.ifVersion('generation', generation, () => {
        ignoreFailure(databases.meta.put('generation', 0, generation + 1));
        all.queue();
      });
      this.failed = false;
      return done;
    } catch (error) {
      this.failed = true;
      throw await commitFault(error, this.path);
    }
  }

  private start(): void {
    privateDirectory(this.directory);
    try {
      const wrong = unsoundness(this.path);
      if (wrong !== '') this.setAside(wrong);
      this.openOrSetAside();
    } catch (error) {
      throw faultOf(error, this.path);
    }
    for (const file of [this.path, `${this.path}-lock`]) chmodSync(file, 0o600);
    this.identity = identityOf(this.path);
  }

  private openOrSetAside(): void {
    try {
      this.open = openDatabases(this.path);
    } catch (error) {
      if (!/MDB_(INVALID|CORRUPTED|PAGE_NOTFOUND|VERSION_MISMATCH)/.test(String(error))) throw error;
      this.setAside('LMDB cannot read it');
      this.open = openDatabases(this.path);
    }
    this.checkFormat(this.open);
  }

  private checkFormat(databases: Databases): void {
    const format = databases.meta.get('format');
    if (format === undefined) {
      // The only synchronous transaction: it creates the record that every later change is conditional on.
      databases.meta.transactionSync(() => {
        if (databases.meta.get('format') !== undefined) return;
        databases.meta.put('format', FORMAT_VERSION, 1);
        databases.meta.put('generation', 0, 1);
      });
    } else if (format > FORMAT_VERSION) {
      this.open = null;
      void databases.root.close();
      throw new CavemanError(
        'archive-unavailable',
        `${this.path} was written by a newer caveman (format ${format}); upgrade, or move it away`,
      );
    }
  }

  private setAside(why: string): void {
    const to = moveAside(this.path, this.now());
    this.trouble = `the archive was damaged (${why}); it is kept as ${to} and a new one was begun`;
  }

  /**
   * The file was deleted or replaced under us, but it is still open: a copy of it is laid at its place again.
   * A stranger that stands there is moved aside, never overwritten.
   */
  private async restore(): Promise<void> {
    const databases = this.databases;
    const copy = `${this.path}.restored`;
    try {
      privateDirectory(this.directory);
      rmSync(copy, { force: true });
      await databases.root.backup(copy, false);
      chmodSync(copy, 0o600);
      const replaced = identityOf(this.path) !== '';
      const stranger = replaced ? moveAside(this.path, this.now()) : '';
      rmSync(`${this.path}-lock`, { force: true });
      renameSync(copy, this.path);
      this.open = null;
      const closing = databases.root.close();
      if (!this.failed) await closing;
      this.start();
      this.trouble = replaced
        ? `the archive's file was replaced while open; it was restored, the other file is ${stranger}`
        : "the archive's file was deleted while open; it was restored";
    } catch (error) {
      throw faultOf(error, this.path);
    }
  }
}

/** Stages each change on those before it; one that throws leaves no trace. */
function stageAll(group: Waiting[], all: Changes): Map<Waiting, unknown> {
  const failed = new Map<Waiting, unknown>();
  for (const one of group) {
    const changes = new Changes(all.databases, all);
    try {
      one.decide(changes);
      changes.merge();
    } catch (error) {
      failed.set(one, error);
    }
  }
  return failed;
}

/** Device and inode, '' when there is no file. */
function identityOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}`;
}
