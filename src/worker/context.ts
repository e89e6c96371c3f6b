import type { Archive } from '../archive/types.ts';
import type { Settings } from '../config/settings.ts';
import type { DaemonStatus, WorkerMessage } from '../protocol/jobs.ts';
import type { Log } from '../runtime/log.ts';
import type { TokenQueue } from './tokens/queue.ts';
import type { Turnstile } from './turnstile.ts';

/** The worker's line to the daemon. */
export interface DaemonLink {
  send(message: WorkerMessage): void;
  /** Throws `daemon-hung` when no answer comes within 2 s. */
  askStatus(): Promise<DaemonStatus>;
}

/** What every job and every request handler may use. */
export interface Context {
  /** The open archive, opened again if need be. Throws `archive-unavailable` and its kin. */
  archive(): Archive;
  settings: Settings;
  /** One line when `config.toml` could not be used; else ''. */
  settingsTrouble: string;
  daemon: DaemonLink;
  tokens: TokenQueue;
  turnstile: Turnstile;
  log: Log;
}
