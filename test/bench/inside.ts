import { spawnSync } from 'node:child_process';
import { bareEnv } from '../helpers/home.ts';

/** Runs a script that times itself and prints one number; `rounds` of them. Throws when it prints anything else. */
export function inside(argv: readonly string[], rounds: number, env: NodeJS.ProcessEnv = {}): number[] {
  return Array.from({ length: rounds }, () => {
    const done = spawnSync(argv[0]!, argv.slice(1), {
      env: { ...bareEnv(), ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const figure = Number(done.stdout);
    if (done.status !== 0 || !(figure > 0))
      throw new Error(`${argv[0]} printed ${done.stdout}${done.stderr}`);
    return figure;
  });
}

/** Shell text (bash, or zsh with zsh/datetime): the µs that one of `times` runs of `body` takes. */
export function loopMicros(body: string, times: number): string {
  return `s=$EPOCHREALTIME; for ((i = 0; i < ${times}; i++)); do ${body}; done; e=$EPOCHREALTIME
    s=\${s/[.,]/} e=\${e/[.,]/}; s=\${s:0:16} e=\${e:0:16}
    n=$(((e - s) * 1000 / ${times})); printf '%d.%03d\\n' $((n / 1000)) $((n % 1000))`;
}
