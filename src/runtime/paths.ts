import { createHash } from 'node:crypto';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where everything of one user's caveman lives. All paths are absolute. */
export interface Paths {
  /** Configuration directory (`config.toml`). */
  config: string;
  /** LMDB environment and its neighbours. */
  archive: string;
  spool: string;
  logs: string;
  /** Rendezvous directory: FIFOs, the WebSocket's Unix socket, the daemon's lock. Only the user can enter it. */
  run: string;
  socket: string;
  lock: string;
}

/** Longest path a Unix socket may have here (the kernel's limit is 108 on Linux, 104 on macOS). */
const MAX_SOCKET_BYTES = 100;

/**
 * `CAVEMAN_HOME=DIR` puts everything under DIR. Else the XDG directories, and `/tmp/caveman-UID` for the
 * rendezvous, which must be writable from inside sandboxes that hide or lock the home directory.
 */
export function paths(env: NodeJS.ProcessEnv = process.env): Paths {
  const uid = userInfo().uid;
  const root = env['CAVEMAN_HOME'];
  if (root) {
    const run = join(root, 'run');
    return {
      config: join(root, 'config'),
      archive: join(root, 'archive'),
      spool: join(root, 'spool'),
      logs: join(root, 'logs'),
      run,
      socket: socketIn(run, uid),
      lock: join(run, 'daemon.lock'),
    };
  }
  const home = env['HOME'] || homedir();
  const state = join(env['XDG_STATE_HOME'] || join(home, '.local', 'state'), 'caveman');
  const run = `/tmp/caveman-${uid}`;
  return {
    config: join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'caveman'),
    archive: join(state, 'archive'),
    spool: join(state, 'spool'),
    logs: join(state, 'logs'),
    run,
    socket: socketIn(run, uid),
    lock: join(run, 'daemon.lock'),
  };
}

function socketIn(run: string, uid: number): string {
  const near = join(run, 'caveman.sock');
  if (Buffer.byteLength(near) <= MAX_SOCKET_BYTES) return near;
  const tag = createHash('sha256').update(run).digest('hex').slice(0, 12);
  return join(tmpdir(), `caveman-${uid}-${tag}`, 'caveman.sock');
}

/** Root of the installed product (or the clone): the folder that holds `dist/` and `shell/`. */
export function productRoot(): string {
  // dist/x.js, dist/chunks/x.js and src/runtime/paths.ts: the folder above `dist` or `src`.
  const here = fileURLToPath(import.meta.url);
  const cut = Math.max(here.lastIndexOf('/dist/'), here.lastIndexOf('/src/'));
  return here.slice(0, cut);
}

/** The launcher, by absolute path. */
export function launcherPath(): string {
  return join(productRoot(), 'shell', 'caveman');
}
