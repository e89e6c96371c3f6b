import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PtyPackage } from '../pty/package.ts';
import { type HeldPty, openHeldPty } from '../pty/pair.ts';
import { setRaw } from '../pty/raw-mode.ts';
import { makeFifos, openBothEnds, openReadEnd, openWriteEnd, randomName, removeQuietly } from './fifo.ts';
import { Reply } from './reply.ts';

const SUFFIXES = ['.o', '.e', '.r', '.s'] as const;

/** The FIFOs of one capture, laid and opened before anybody hears their names, and its PTY if it has one. */
export class CaptureSet {
  readonly base: string;
  readonly pty: HeldPty | null;
  /** Both ends of the capture FIFOs and of the replies, so that none ends before we say so. */
  readonly fds: { out: number; err: number; reply: number; replyErr: number };
  private readonly directory: string;
  private readonly writeEnds: { reply: number | null; replyErr: number | null } = {
    reply: null,
    replyErr: null,
  };

  constructor(directory: string, base: string, fds: CaptureSet['fds'], pty: HeldPty | null) {
    this.directory = directory;
    this.base = base;
    this.fds = fds;
    this.pty = pty;
  }

  path(suffix: (typeof SUFFIXES)[number]): string {
    return join(this.directory, this.base + suffix);
  }

  openOutReader(): number {
    return openReadEnd(this.path('.o'));
  }

  openErrReader(): number {
    return openReadEnd(this.path('.e'));
  }

  /** Before anybody can remove the names. */
  openWriteEnds(): void {
    this.writeEnds.reply = openWriteEnd(this.path('.r'));
    this.writeEnds.replyErr = openWriteEnd(this.path('.s'));
  }

  /**
   * The writing end of a reply, once. Our own two-way descriptor goes with it: while it is open, writing to a pump that was
   * killed would wait for a reader for ever.
   */
  openReply(which: 'reply' | 'replyErr'): Reply {
    const reply = new Reply(this.writeEnds[which]);
    this.writeEnds[which] = null;
    this.letGo(which);
    return reply;
  }

  /** Closes one of `fds`, once. */
  letGo(which: keyof CaptureSet['fds']): void {
    if (this.fds[which] >= 0) closeSync(this.fds[which]);
    this.fds[which] = -1;
    if (which !== 'reply' && which !== 'replyErr') return;
    const unused = this.writeEnds[which];
    if (unused !== null) closeSync(unused);
    this.writeEnds[which] = null;
  }

  /** Removes the names; whoever has a FIFO open keeps it. */
  removeNames(): void {
    removeQuietly(
      this.directory,
      SUFFIXES.map((suffix) => this.base + suffix),
    );
  }

  /** For a set that was never handed out. */
  discard(): void {
    this.removeNames();
    for (const which of ['out', 'err', 'reply', 'replyErr'] as const) this.letGo(which);
    if (this.pty) {
      closeSync(this.pty.slaveFd);
      this.pty.holder.kill();
    }
  }
}

/** Lays `count` sets; `pty` gives each a PTY in raw mode. */
export async function layCaptureSets(
  directory: string,
  count: number,
  pty: PtyPackage | null,
): Promise<CaptureSet[]> {
  const bases = Array.from({ length: count }, randomName);
  await makeFifos(bases.flatMap((base) => SUFFIXES.map((suffix) => join(directory, base + suffix))));
  const sets: CaptureSet[] = [];
  try {
    for (const base of bases) {
      sets.push(openSet(directory, base, pty));
      // Starting a holder waits for the new process: on a busy machine a whole batch would hold up everybody.
      await nextTurn();
    }
    await makeRaw(sets);
  } catch (error) {
    for (const set of sets) set.discard();
    throw error;
  }
  return sets;
}

async function makeRaw(sets: CaptureSet[]): Promise<void> {
  const slaves = sets.flatMap((set) => (set.pty ? [set.pty.path] : []));
  if (slaves.length > 0 && (await setRaw(slaves)) !== 0) {
    throw new Error('stty could not put a terminal into raw mode');
  }
}

function openSet(directory: string, base: string, pty: PtyPackage | null): CaptureSet {
  const at = (suffix: string) => openBothEnds(join(directory, base + suffix));
  const fds = { out: at('.o'), err: at('.e'), reply: at('.r'), replyErr: at('.s') };
  return new CaptureSet(directory, base, fds, pty ? openHeldPty(pty, fds.out) : null);
}
