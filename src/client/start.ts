import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CavemanError } from '../protocol/errors.ts';
import { scrubbedEnv } from '../protocol/markers.ts';
import { paths, productRoot } from '../runtime/paths.ts';
import { privateDirectory } from '../runtime/private-dir.ts';
import type { Client } from './client.ts';
import { connect } from './connect.ts';
import { probe } from './probe.ts';

const START_TIMEOUT_MS = 15_000;
/** The socket appears some 200 ms after the start; a connection attempt to a missing one costs nothing. */
const RETRY_MS = 15;
/** Exit status of a daemon that found another one holding the lock: that one will answer in a moment. */
const ALREADY_RUNNING = 3;

/**
 * Starts the daemon in a session of its own and waits until it answers (at most 15 s: a busy machine needs some).
 * It gets no marker of the agent that may have started us: what it starts in turn is nobody's command.
 */
export async function startDaemon(): Promise<'started' | 'already-up'> {
  const before = await probe();
  if (before.state === 'up') return 'already-up';
  if (before.state === 'foreign') throw new CavemanError('foreign-path', before.problem);
  if (before.state === 'hung') throw new CavemanError('daemon-hung', before.problem);
  // Here, where somebody reads it, whatever would end the daemon at once.
  const { run, spool, logs } = paths();
  for (const directory of [run, spool, logs]) privateDirectory(directory);
  const died = spawnDaemon();
  const client = await connectWithin(START_TIMEOUT_MS, died);
  await client.close();
  return 'started';
}

/** A connection, whatever it takes: the running daemon's, or that of one just started. */
export async function ensure(options: { timeoutMs?: number } = {}): Promise<Client> {
  try {
    return await connect(options);
  } catch (error) {
    if (!(error instanceof CavemanError) || error.code !== 'daemon-down') throw error;
  }
  await startDaemon();
  return await connect(options);
}

/** Returns a probe of the child: '' while it lives or after a clean exit, else one line. */
function spawnDaemon(): () => string {
  let trouble = '';
  const child = spawn(process.execPath, [join(productRoot(), 'dist', 'daemon.js')], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: scrubbedEnv(process.env),
  });
  child.on('error', (error) => {
    trouble = error.message;
  });
  child.on('exit', (code, signal) => {
    if (code !== 0 && code !== ALREADY_RUNNING) trouble = `it ended at once (${signal ?? `exit ${code}`})`;
  });
  child.unref();
  return () => trouble;
}

async function connectWithin(timeoutMs: number, trouble: () => string): Promise<Client> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await connect({ timeoutMs: Math.max(1, end - performance.now()) });
    } catch (error) {
      if (!(error instanceof CavemanError) || error.code !== 'daemon-down') throw error;
    }
    const why = trouble();
    if (why || performance.now() >= end) {
      const reason = why || `it did not answer within ${timeoutMs / 1000} s`;
      throw new CavemanError('daemon-down', `the daemon did not start: ${reason}; see: caveman daemon logs`);
    }
    await delay(RETRY_MS);
  }
}
