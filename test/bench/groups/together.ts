import { bareEnv } from '../../helpers/home.ts';
import type { Group } from '../group.ts';
import { fact, median, row } from '../row.ts';
import { NODE_START, timeMs } from '../timed.ts';
import { streamed, withHome } from '../trial.ts';

const AGENTS = 50;

/** Fifty agents start a command at the same moment; latency of each, from its start to its last byte. */
export const together: Group = {
  name: 'together',
  measure({ few }) {
    return withHome(async (home) => {
      const node: number[] = [];
      const bare: number[] = [];
      const hooked: number[] = [];
      let right = true;
      for (let round = 0; round < few + 1; round++) {
        node.push(timeMs(NODE_START));
        bare.push(...(await wave(bareEnv())).latencies);
        const done = await wave(home.env);
        hooked.push(...done.latencies);
        right &&= done.right;
      }
      const nodeStartMs = median(node);
      return [
        row(`together: ${AGENTS} bare commands at once`, 'ms', bare, { nodeStartMs }),
        row(`together: ${AGENTS} hooked commands at once`, 'ms', hooked, { nodeStartMs }),
        fact(`together: each of ${AGENTS} got its own output and status`, right),
      ];
    });
  },
};

async function wave(env: NodeJS.ProcessEnv): Promise<{ latencies: number[]; right: boolean }> {
  const all = await Promise.all(
    Array.from({ length: AGENTS }, async (_, agent) => {
      const done = await streamed(['bash', '-c', `ls / >/dev/null; echo agent ${agent}; exit ${agent}`], env);
      return { ms: done.totalMs, right: done.end === `agent ${agent}\n` && done.status === agent };
    }),
  );
  return { latencies: all.map(({ ms }) => ms), right: all.every(({ right }) => right) };
}
