import { randomBytes } from 'node:crypto';

/** Names of the archives that this process has open; a writer's name begins with its archive's. */
const open = new Set<string>();

/** A name for an archive that was opened: tells whose unfinished captures are whose. */
export function openWriters(): string {
  const name = `${process.pid}:${randomBytes(6).toString('hex')}`;
  open.add(name);
  return name;
}

export function closeWriters(name: string): void {
  open.delete(name);
}

/**
 * Whether the process (and, in this one, the archive) that a writer belongs to still lives. A process id that
 * was given away again counts as alive: its leftovers wait for the next time the archive is opened.
 */
export function writerLives(writer: string): boolean {
  const [pid, token] = writer.split(':');
  if (Number(pid) === process.pid) return open.has(`${pid}:${token}`);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
