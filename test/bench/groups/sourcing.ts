import { join } from 'node:path';
import { ROOT } from '../../helpers/home.ts';
import type { Group } from '../group.ts';
import { inside, loopMicros } from '../inside.ts';
import { type Bar, row } from '../row.ts';

const TIMES = 1000;
/** 0.05 ms (design, §2). */
const BAR: Bar = { of: 'median', sense: 'at most', limit: 50 };

/** What the start-up line costs a shell that no agent started: 1,000 sourcings in one shell ÷ 1,000. */
export const sourcing: Group = {
  name: 'sourcing',
  async measure({ many }) {
    const rounds = Math.ceil(many / 4);
    const stub = (shell: string) => `. '${join(ROOT, 'shell', `env.${shell}`)}'`;
    const bash = inside(['bash', '-c', loopMicros(stub('bash'), TIMES)], rounds);
    const zsh = inside(['zsh', '-fc', `zmodload zsh/datetime; ${loopMicros(stub('zsh'), TIMES)}`], rounds);
    return [
      row('sourcing: env.bash, no agent', 'µs', bash, { bar: BAR }),
      row('sourcing: env.zsh, no agent', 'µs', zsh, { bar: BAR }),
    ];
  },
};
