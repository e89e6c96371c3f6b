import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import type { PtyPackage } from './package.ts';

/**
 * What programs assume on a pipe, so that a PTY changes as little as possible (measured: no width 200 surprises).
 */
const COLUMNS = 80;
const ROWS = 24;

/** A PTY whose master is held by a process of its own, so that the command keeps it when the daemon dies. */
export interface HeldPty {
  /** `/dev/pts/7` */
  path: string;
  /** The daemon's own descriptor of the slave: for the end mark, and so that the holder does not end early. */
  slaveFd: number;
  holder: ChildProcess;
}

/**
 * Opens a pair and gives the master to a holder, one `cat` that copies it to `outFd` (a capture FIFO, blocking
 * mode). Synchronous up to the spawn, and the master is closed at once: it is not close-on-exec, and every
 * other child would inherit it. The slave is opened again by path, which sets close-on-exec.
 */
export function openHeldPty(pty: PtyPackage, outFd: number): HeldPty {
  const pair = pty.open(COLUMNS, ROWS);
  try {
    const slaveFd = openSync(pair.pty, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
    closeSync(pair.slave);
    const holder = spawn('cat', [], {
      stdio: [pair.master, outFd, 'ignore'],
      detached: true,
      env: {},
      cwd: '/',
    });
    holder.on('error', () => {});
    holder.unref();
    return { path: pair.pty, slaveFd, holder };
  } finally {
    closeSync(pair.master);
  }
}
