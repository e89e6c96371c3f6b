import { closeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:process';
import { CavemanError } from '../protocol/errors.ts';

/** A PTY pair as the native code opens it: both descriptors are non-blocking and not close-on-exec. */
export interface RawPair {
  master: number;
  slave: number;
  /** Path of the slave, `/dev/pts/7`. */
  pty: string;
}

export interface PtyPackage {
  name: string;
  open(cols: number, rows: number): RawPair;
}

interface Native {
  open(cols: number, rows: number): RawPair;
}

const load = createRequire(import.meta.url);

/**
 * Where each package keeps its native `open`. node-pty has no Linux prebuild and may be missing where it could
 * not be compiled; its twin is the same code, prebuilt, one package per platform. The JavaScript `open` of
 * both wraps the pair in streams that start to read the master, which would steal the holder's bytes.
 */
const CANDIDATES: { name: string; native(): Native }[] = [
  { name: 'node-pty', native: () => (load('node-pty') as { native: Native }).native },
  {
    name: '@lydell/node-pty',
    native: () =>
      createRequire(load.resolve('@lydell/node-pty'))(
        `@lydell/node-pty-${platform}-${arch}/pty.node`,
      ) as Native,
  },
];

/**
 * The first PTY package that loads and really opens a pair. `only` restricts the choice by name (tests).
 * Throws CavemanError `internal` when none does.
 */
export function loadPtyPackage(only?: string): PtyPackage {
  const reasons: string[] = [];
  for (const { name, native } of CANDIDATES) {
    if (only && name !== only) continue;
    try {
      const module = native();
      const trial = module.open(80, 24);
      closeSync(trial.master);
      closeSync(trial.slave);
      return { name, open: (cols, rows) => module.open(cols, rows) };
    } catch (error) {
      reasons.push(`${name}: ${(error as Error).message.split('\n')[0]}`);
    }
  }
  throw new CavemanError('internal', `no PTY package loads (${reasons.join('; ')}); run ./install.sh again`);
}
