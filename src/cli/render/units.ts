const BYTE_UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const;

/** `9,741` */
export function count(n: number): string {
  return Math.round(n)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Bytes as a person reads them: `812 B`, `9.5 KiB`, `34 MiB`. Three figures at most. */
export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  let value = n;
  let unit = -1;
  do {
    value /= 1024;
    unit++;
  } while (value >= 999.5 && unit < BYTE_UNITS.length - 1);
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${BYTE_UNITS[unit]}`;
}

/** A length of time in milliseconds: `12 ms`, `1.4 s`, `2m 05s`, `3h 20m`, `4d 2h`. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return pair(seconds, 60, 'm', 1, 's');
  if (seconds < 86_400) return pair(seconds, 3600, 'h', 60, 'm');
  return pair(seconds, 86_400, 'd', 3600, 'h');
}

function pair(seconds: number, big: number, bigUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((seconds % big) / small);
  return `${Math.floor(seconds / big)}${bigUnit} ${String(rest).padStart(2, '0')}${smallUnit}`;
}

/** How long ago: one unit, as a listing needs no more. */
export function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** Saved share, `97 %`; '' when nothing is known or nothing was saved. */
export function saved(before: number | null, after: number | null): string {
  if (before === null || after === null || before === 0 || after >= before) return '';
  return `${Math.floor((1 - after / before) * 100)} %`;
}

/** `1 capture`, `12 captures` */
export function plural(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`;
}
