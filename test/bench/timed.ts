import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { bareEnv } from '../helpers/home.ts';

export interface Program {
  argv: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Text that stdout must contain: a figure of a run that did something else is worth nothing. */
  says?: string;
}

/** Bare start of the Node that runs this: what every ratio is taken against. */
export const NODE_START: Program = { argv: [process.execPath, '-e', '0'], env: bareEnv() };

/** Wall time of one run in ms, as an agent sees it: stdin /dev/null, stdout and stderr apart. Throws when it fails. */
export function timeMs(program: Program): number {
  const [file, ...args] = program.argv;
  const from = performance.now();
  const done = spawnSync(file!, args, {
    env: program.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
    maxBuffer: 2 ** 28,
  });
  const took = performance.now() - from;
  mustBeRight(program, done);
  return took;
}

function mustBeRight(program: Program, done: SpawnSyncReturns<Buffer>): void {
  const why = done.error?.message ?? (done.status === 0 ? '' : `status ${done.status ?? done.signal}`);
  const said = why || program.says === undefined || done.stdout.includes(program.says);
  if (why || !said) {
    throw new Error(`${program.argv.join(' ')}: ${why || `did not print ${program.says}`} ${done.stderr}`);
  }
}

/** Runs all programs in turn, `rounds` times over, so that what else the machine does meets all alike. */
export function interleaved<K extends string>(
  programs: Record<K, Program>,
  rounds: number,
): Record<K, number[]> {
  const names = Object.keys(programs) as K[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (const name of names) timeMs(programs[name]);
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples[name].push(timeMs(programs[name]));
  }
  return samples;
}

/** Sample by sample: the runs of one round were neighbours. */
export function extra(samples: readonly number[], bare: readonly number[]): number[] {
  return samples.map((sample, i) => sample - bare[i]!);
}
