import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem } from 'node:os';

/** What figures depend on. Nothing that names the machine or its user. */
export interface Machine {
  cpu: string;
  cores: number;
  memoryGiB: number;
  kernel: string;
  node: string;
  bash: string;
  zsh: string;
}

export function machine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    // Versions only: a build's suffix may name whose kernel it is.
    kernel: release().split('-', 1)[0]!,
    node: process.version,
    bash: said('bash', '-c', 'printf %s "$BASH_VERSION"'),
    zsh: said('zsh', '-fc', 'printf %s "$ZSH_VERSION"'),
  };
}

/** '' when the program is not installed. */
function said(program: string, ...args: string[]): string {
  return spawnSync(program, args, { encoding: 'utf8' }).stdout ?? '';
}
