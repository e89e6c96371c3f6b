import { DEFAULT_SETTINGS, readSettings, type Settings } from '../config/settings.ts';
import { loadPtyPackage } from '../pty/package.ts';
import { createLog } from '../runtime/log.ts';
import { paths } from '../runtime/paths.ts';
import { privateDirectory } from '../runtime/private-dir.ts';
import { Daemon } from './daemon.ts';
import { closeInherited } from './inherited.ts';
import { DaemonLock } from './lock.ts';

/** Exit codes of the daemon process, which its starter may read. */
const ALREADY_RUNNING = 3;
const CANNOT_START = 1;

async function main(): Promise<void> {
  closeInherited();
  // Whatever the starter's umask: nothing of ours is open to others, not for a moment.
  process.umask(0o077);
  const where = paths();
  privateDirectory(where.run);
  privateDirectory(where.spool);
  privateDirectory(where.logs);
  const lock = new DaemonLock(where.lock);
  if (lock.take()) process.exit(ALREADY_RUNNING);
  const { settings, trouble } = settingsOrDefaults();
  const log = createLog('daemon', settings.log.level);
  if (trouble) log.warn({ reason: trouble }, 'default settings used');
  process.title = 'caveman-daemon';
  const daemon = new Daemon(where, settings, loadPtyPackage(process.env['CAVEMAN_PTY_PACKAGE']), lock, log);
  const stop = async (why: string) => {
    log.info({ why }, 'stopping');
    lock.release();
    await daemon.stop();
    process.exit(0);
  };
  daemon.onStopAsked = () => void stop('asked');
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('SIGHUP', () => {});
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected failure: leaving, running commands keep their output');
    lock.release();
    process.exit(CANNOT_START);
  });
  await daemon.open();
  log.info('ready');
  // A starter with a channel is told; nobody else needs to be.
  process.send?.('ready');
  process.disconnect?.();
}

/** A bad `config.toml` must not cost a capture: the defaults serve, and `status` says so. */
function settingsOrDefaults(): { settings: Settings; trouble: string } {
  try {
    return { settings: readSettings(), trouble: '' };
  } catch (error) {
    return { settings: DEFAULT_SETTINGS, trouble: (error as Error).message };
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`caveman: the daemon cannot start: ${(error as Error).message}\n`);
  process.exit(CANNOT_START);
});
