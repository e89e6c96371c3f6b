import { readFileSync } from 'node:fs';

/** A process and when it started, so that a reused pid is not taken for it. `start` is '' without /proc. */
export interface ProcessMark {
  pid: number;
  start: string;
}

/** Field 22 of /proc/PID/stat: start time in clock ticks since boot; '' where there is no /proc. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

export function markOf(pid: number): ProcessMark {
  return { pid, start: startOf(pid) };
}

/** Whether that very process still lives (a zombie does not). */
export function isAlive(mark: ProcessMark): boolean {
  try {
    process.kill(mark.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return mark.start === '' || startOf(mark.pid) === mark.start;
}
