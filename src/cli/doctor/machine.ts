import { ensure } from '../../client/start.ts';
import type { ResultOf } from '../../protocol/requests.ts';
import { VERSION } from '../../protocol/version.ts';
import { failureOf } from '../render/errors.ts';
import { bytes, plural } from '../render/units.ts';
import { bad, type Check, type Finding, ok } from './check.ts';

/** Oldest Node that the product is tested with (package.json, engines). */
const NODE_AT_LEAST = [20, 19] as const;

/** Node, daemon, PTY package and archive, in this order: each leans on the ones before it. */
export function machineChecks(): Check[] {
  let status: Promise<ResultOf<'status'>> | null = null;
  const ask = (): Promise<ResultOf<'status'>> => {
    status ??= ensure().then((client) => client.request('status', {}).finally(() => client.close()));
    return status;
  };
  return [
    { name: 'node', run: async () => nodeFinding(process.versions.node) },
    { name: 'daemon', run: () => daemonFinding(ask) },
    { name: 'pty', run: () => from(ask, ptyFinding) },
    { name: 'archive', run: () => from(ask, archiveFinding) },
  ];
}

export function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [needMajor, needMinor] = NODE_AT_LEAST;
  if (major > needMajor || (major === needMajor && minor >= needMinor)) return ok(`v${version}`);
  const need = NODE_AT_LEAST.join('.');
  return bad(`v${version} is too old`, `install Node ${need} or newer, then run install.sh again`);
}

async function daemonFinding(ask: () => Promise<ResultOf<'status'>>): Promise<Finding> {
  try {
    const { daemon } = await ask();
    if (daemon.version !== VERSION)
      return bad(`is ${daemon.version}, this is ${VERSION}`, 'caveman daemon restart');
    return ok(`pid ${daemon.pid}, ${plural(daemon.freeTickets, 'free slot')}`, { pid: daemon.pid });
  } catch (error) {
    return bad(failureOf(error).message, 'caveman daemon restart; caveman daemon logs');
  }
}

async function from(
  ask: () => Promise<ResultOf<'status'>>,
  read: (status: ResultOf<'status'>) => Finding,
): Promise<Finding> {
  try {
    return read(await ask());
  } catch {
    return { state: 'skip', detail: 'needs the daemon', cure: '' };
  }
}

export function ptyFinding({ daemon }: ResultOf<'status'>): Finding {
  if (daemon.ptyPackage) return ok(daemon.ptyPackage);
  return {
    state: 'warn',
    detail: 'no PTY package loads: output is taken through pipes',
    cure: 'run install.sh again',
  };
}

export function archiveFinding({ archive }: ResultOf<'status'>): Finding {
  if (archive.trouble) return bad(archive.trouble, 'caveman daemon restart; caveman daemon logs');
  const size = `${bytes(archive.bytes)} of ${bytes(archive.maxBytes)}, ${plural(archive.captures, 'capture')}`;
  if (archive.refused === 0) return ok(size);
  return {
    state: 'warn',
    detail: `${size}; no room for ${plural(archive.refused, 'capture')}`,
    cure: 'caveman gc, or a larger archive.max_bytes in config.toml',
  };
}
