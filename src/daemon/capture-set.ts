import { closeSync } from 'node:fs';
import { join } from 'node:path';
import type { PtyPackage } from '../pty/package.ts';
import { type HeldPty, openHeldPty } from '../pty/pair.ts';
import { setRaw } from '../pty/raw-mode.ts';
import { makeFifos, openBothEnds, openReadEnd, randomName, removeQuietly } from './fifo.ts';

const SUFFIXES = ['.o', '.e', '.r', '.s'] as const;

/** The FIFOs of one capture, laid and opened before anybody hears their names, and its PTY if it has one. */
export class CaptureSet {
  readonly base: string;
  readonly pty: HeldPty | null;
  /** Both ends of the capture FIFOs and of the replies, so that none ends before we say so. */
  readonly fds: { out: number; err: number; reply: number; replyErr: number };
  private readonly directory: string;

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
    for (const fd of Object.values(this.fds)) closeSync(fd);
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
  const sets = bases.map((base) => openSet(directory, base, pty));
  const slaves = sets.flatMap((set) => (set.pty ? [set.pty.path] : []));
  if (slaves.length > 0 && (await setRaw(slaves)) !== 0) {
    for (const set of sets) set.discard();
    throw new Error('stty could not put a terminal into raw mode');
  }
  return sets;
}

function openSet(directory: string, base: string, pty: PtyPackage | null): CaptureSet {
  const at = (suffix: string) => openBothEnds(join(directory, base + suffix));
  const fds = { out: at('.o'), err: at('.e'), reply: at('.r'), replyErr: at('.s') };
  return new CaptureSet(directory, base, fds, pty ? openHeldPty(pty, fds.out) : null);
}
