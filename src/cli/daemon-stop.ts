import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../client/connect.ts';
import { probe } from '../client/probe.ts';
import { CavemanError } from '../protocol/errors.ts';
import { paths } from '../runtime/paths.ts';
import { isAlive, type ProcessMark } from '../runtime/process-mark.ts';

const STOP_TIMEOUT_MS = 5_000;
/** A daemon that does not answer gets this long after SIGTERM, then SIGKILL: running commands survive that. */
const TERM_TIMEOUT_MS = 2_000;
const RETRY_MS = 20;

/**
 * Stops the daemon and waits until nobody listens any more. One that hangs, or speaks another version, is asked by
 * signal. Throws `foreign-path` when the socket is not ours, `daemon-hung` when it will not go.
 */
export async function stopDaemon(): Promise<'stopped' | 'already-down'> {
  try {
    const client = await connect();
    await client.request('stop', {});
    await client.close().catch(() => {});
  } catch (error) {
    if (!(error instanceof CavemanError)) throw error;
    if (error.code === 'daemon-down') return stopByPid('SIGTERM') ? await gone() : 'already-down';
    if (error.code !== 'daemon-hung' && error.code !== 'version-mismatch') throw error;
    return await endBySignal();
  }
  return await gone();
}

async function endBySignal(): Promise<'stopped'> {
  if (!stopByPid('SIGTERM')) {
    throw new CavemanError('daemon-hung', `no pid of the daemon in ${paths().lock}; end it by hand`);
  }
  if (!(await within(TERM_TIMEOUT_MS, () => daemonPid() === null))) stopByPid('SIGKILL');
  return await gone();
}

/** Resolves when nobody answers; the old process may linger for captures that still run. */
async function gone(): Promise<'stopped'> {
  const down = await within(STOP_TIMEOUT_MS, async () => (await probe({ timeoutMs: 500 })).state === 'down');
  if (!down) throw new CavemanError('daemon-hung', 'the daemon does not stop; see: caveman daemon logs');
  return 'stopped';
}

async function within(timeoutMs: number, holds: () => boolean | Promise<boolean>): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() >= end) return false;
    await delay(RETRY_MS);
  }
  return true;
}

function stopByPid(signal: NodeJS.Signals): boolean {
  const pid = daemonPid();
  if (pid === null) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The process that the lock file names, if it still lives: a pid alone may be somebody else's by now. */
function daemonPid(): number | null {
  try {
    const mark = JSON.parse(readFileSync(paths().lock, 'utf8')) as ProcessMark;
    return Number.isInteger(mark.pid) && mark.pid > 1 && isAlive(mark) ? mark.pid : null;
  } catch {
    return null;
  }
}
