import { InvalidArgumentError } from 'commander';

/** Reads an option's value as a whole number from 1. */
export function naturalNumber(text: string): number {
  const n = Number(text);
  if (!/^\d{1,9}$/.test(text) || n < 1) throw new InvalidArgumentError('a whole number from 1 is needed.');
  return n;
}

/** Reads an exit status, 0–255. */
export function exitStatus(text: string): number {
  const n = Number(text);
  if (!/^\d{1,3}$/.test(text) || n > 255) throw new InvalidArgumentError('an exit status is 0 to 255.');
  return n;
}
