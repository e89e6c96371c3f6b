import type { Home } from '../../helpers/home.ts';
import type { Group } from '../group.ts';
import { withLargeLog } from '../large-log.ts';
import { type Bar, fact, median, row } from '../row.ts';
import { NODE_START, timeMs } from '../timed.ts';
import { archived, handleIn, LAUNCHER, type Streamed, streamed, withHome } from '../trial.ts';

const BYTES = 200_000_000;
const WHOLE: Bar = { of: 'median', sense: 'at least', limit: 150 };
const FIRST: Bar = { of: 'ratio', sense: 'at most', limit: 0.3 };

/** `caveman expand` through the launcher, read from a pipe. */
export const expand: Group = {
  name: 'expand',
  measure({ many, few }) {
    return withLargeLog(BYTES, (log) =>
      withHome(async (home) => {
        const large = await captured(home, `cat '${log}'`);
        const small = await captured(home, 'seq -f "compiling unit %.0f of the tree" 4000; false');
        const whole: Streamed[] = [];
        for (let round = 0; round < few; round++) whole.push(await expanded(home, large));
        const node: number[] = [];
        const first: number[] = [];
        for (let round = 0; round < many; round++) {
          node.push(timeMs(NODE_START));
          first.push((await expanded(home, small)).firstByteMs);
        }
        const nodeStartMs = median(node);
        const speeds = whole.map(({ bytes, totalMs }) => bytes / 1e3 / totalMs);
        return [
          row('expand: 200 MB', 'MB/s', speeds, { bar: WHOLE }),
          row('expand: first byte', 'ms', first, { bar: FIRST, nodeStartMs }),
          row(
            'expand: first byte of 200 MB',
            'ms',
            whole.map((each) => each.firstByteMs),
            { nodeStartMs },
          ),
          fact(
            'expand: every byte of 200 MB arrived',
            whole.every(({ bytes }) => bytes === BYTES),
          ),
        ];
      }),
    );
  },
};

async function captured(home: Home, command: string): Promise<string> {
  const env = { ...home.env, CAVEMAN_MODE: 'pipe' };
  const handle = handleIn((await streamed(['bash', '-c', command], env)).end);
  await archived(home);
  return handle;
}

function expanded(home: Home, handle: string): Promise<Streamed> {
  return streamed([LAUNCHER, 'expand', handle], { ...home.env, CAVEMAN: 'off' });
}
