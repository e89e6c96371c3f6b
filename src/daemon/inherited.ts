import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes the descriptors that the starter's own caller left open: an agent that waits for the end of its descriptor 3
 * would wait for this process, which stays. Everything that Node opened is close-on-exec, the channel to a starter
 * too; what is not was inherited. To be called first of all. Does nothing where there is no /proc.
 */
export function closeInherited(): void {
  for (const name of openDescriptors()) {
    const fd = Number(name);
    if (fd > 2 && isInherited(fd)) closeSync(fd);
  }
}

function openDescriptors(): string[] {
  try {
    return readdirSync('/proc/self/fdinfo');
  } catch {
    return [];
  }
}

function isInherited(fd: number): boolean {
  try {
    const lines = readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1').split('\n');
    const flags = lines.find((line) => line.startsWith('flags:'));
    return flags !== undefined && (Number.parseInt(flags.slice(6), 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The listing itself had it open.
    return false;
  }
}
