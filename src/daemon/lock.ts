import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { isAlive, markOf, type ProcessMark } from '../runtime/process-mark.ts';

/** One daemon per user. The lock file names its holder by pid and start time, so that a stale one is known as such. */
export class DaemonLock {
  private readonly path: string;
  private readonly mine: string;

  constructor(path: string) {
    this.path = path;
    this.mine = JSON.stringify(markOf(process.pid));
  }

  /** Null when taken; else the live process that holds it. */
  take(): ProcessMark | null {
    const draft = `${this.path}.${process.pid}`;
    writeFileSync(draft, this.mine, { mode: 0o600 });
    try {
      // A link is made whole or not at all: nobody ever reads a lock that is being written.
      for (let attempt = 0; attempt < 5; attempt++) {
        if (this.tryLink(draft)) return null;
        const holder = this.holder();
        if (holder && isAlive(holder)) return holder;
        this.moveAside();
      }
      return this.holder() ?? { pid: 0, start: '' };
    } finally {
      unlinkSync(draft);
    }
  }

  /** Whether the file still names us; takes it again when it is gone. False: another daemon has taken over. */
  keep(): boolean {
    try {
      return readFileSync(this.path, 'utf8') === this.mine;
    } catch {
      return this.take() === null;
    }
  }

  /** Gives the lock back, if it is still ours. */
  release(): void {
    try {
      if (readFileSync(this.path, 'utf8') === this.mine) unlinkSync(this.path);
    } catch {
      // Already gone.
    }
  }

  private tryLink(draft: string): boolean {
    try {
      linkSync(draft, this.path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  private holder(): ProcessMark | null {
    try {
      return JSON.parse(readFileSync(this.path, 'utf8')) as ProcessMark;
    } catch {
      return null;
    }
  }

  /** Of two that find the same stale lock, one may move the other's new one: it is put back. */
  private moveAside(): void {
    const aside = `${this.path}.stale.${process.pid}`;
    try {
      renameSync(this.path, aside);
      const moved = JSON.parse(readFileSync(aside, 'utf8')) as ProcessMark;
      if (isAlive(moved)) linkSync(aside, this.path);
    } catch {
      // Somebody else was faster, or it was garbage.
    }
    try {
      unlinkSync(aside);
    } catch {
      // Nothing was moved.
    }
  }
}
