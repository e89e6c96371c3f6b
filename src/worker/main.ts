import { setTimeout as delay } from 'node:timers/promises';
import { DEFAULT_SETTINGS, readSettings, type Settings } from '../config/settings.ts';
import type { DaemonMessage } from '../protocol/jobs.ts';
import { createLog } from '../runtime/log.ts';
import { paths } from '../runtime/paths.ts';
import { ArchiveAccess } from './archive-access.ts';
import type { Context } from './context.ts';
import { DaemonChannel } from './daemon-channel.ts';
import { Jobs } from './jobs.ts';
import { type Listener, listen } from './listener.ts';
import { TokenQueue } from './tokens/queue.ts';
import { Turnstile } from './turnstile.ts';

// Entry of the worker (dist/worker.js), a child of the daemon. It owns archive, engine, tokenizer and listener.
/** How long jobs in hand may still run when the daemon has gone. */
const LAST_JOBS_MS = 2_000;

if (!process.connected) {
  process.stderr.write('caveman: the worker is started by the daemon; run: caveman daemon start\n');
  process.exit(125);
}
const { settings, trouble } = loadSettings();
const log = createLog('worker', settings.log.level);
if (trouble) log.warn({ reason: trouble }, 'default settings used');
const access = new ArchiveAccess(paths().archive, {
  maxBytes: settings.archive.max_bytes,
  maxAgeDays: settings.archive.max_age_days,
});
const daemon = new DaemonChannel();
const context: Context = {
  archive: () => access.get(),
  settings,
  settingsTrouble: trouble,
  daemon,
  tokens: new TokenQueue(() => access.get(), log),
  turnstile: new Turnstile(),
  log,
};
const jobs = new Jobs(context);
let listener: Listener | null = null;
let ending = false;

process.on('message', (message: DaemonMessage) => {
  switch (message.type) {
    case 'cancel':
      jobs.cancel(message.job);
      return;
    case 'ping':
      daemon.send({ type: 'pong', n: message.n });
      return;
    case 'daemonStatus':
      daemon.answered(message.job, message.status);
      return;
    case 'stop':
      void end('stop');
      return;
    default:
      jobs.start(message);
  }
});
process.on('disconnect', () => void end('the daemon has gone'));
// The daemon decides when we end: signals to a terminal's process group are not meant for us.
process.on('SIGINT', () => {});
process.on('SIGHUP', () => {});
process.on('SIGTERM', () => void end('SIGTERM'));
await start();

async function start(): Promise<void> {
  try {
    context.archive();
  } catch (error) {
    log.error({ reason: (error as Error).message }, 'archive not open');
  }
  try {
    listener = await listen(paths().socket, context);
  } catch (error) {
    // Captures still work: only clients cannot reach us.
    log.error({ reason: (error as Error).message }, 'not listening');
  }
  if (ending) await listener?.close();
  else daemon.send({ type: 'ready' });
}

async function end(why: string): Promise<void> {
  if (ending) return;
  ending = true;
  log.info({ why }, 'worker ends');
  await listener?.close();
  await Promise.race([jobs.settled(), delay(LAST_JOBS_MS)]);
  await context.tokens.close();
  await access.close();
  process.exit(0);
}

/** A bad `config.toml` must not cost a capture: the defaults serve, and `status` says so. */
function loadSettings(): { settings: Settings; trouble: string } {
  try {
    return { settings: readSettings(), trouble: '' };
  } catch (error) {
    return { settings: DEFAULT_SETTINGS, trouble: (error as Error).message };
  }
}
