import { bareEnv } from '../../helpers/home.ts';
import type { Group } from '../group.ts';
import { inside, loopMicros } from '../inside.ts';
import { median, row } from '../row.ts';
import { interleaved, NODE_START } from '../timed.ts';

const TIMES = 100;
const PAGE_BYTES = 4096;
const PAGES = 32_768;

/** What the machine charges for the parts of a hook, so that the other rows can be read. */
export const prices: Group = {
  name: 'prices',
  async measure({ many }) {
    const bash = (text: string) => ({ argv: ['bash', '-c', text], env: bareEnv() });
    const samples = interleaved(
      { node: NODE_START, nothing: bash(':'), ls: { ...bash('ls /'), says: 'etc' } },
      many,
    );
    const nodeStartMs = median(samples.node);
    const each = (body: string) => inside(['bash', '-c', loopMicros(body, TIMES)], Math.ceil(many / 4));
    return [
      row('price: node -e 0', 'ms', samples.node, { nodeStartMs }),
      row("price: bash -c ':'", 'ms', samples.nothing, { nodeStartMs }),
      row("price: bash -c 'ls /'", 'ms', samples.ls, { nodeStartMs }),
      row('price: fork of a bash, ( : )', 'µs', each('( : )')),
      row('price: fork and exec of /bin/true', 'µs', each('/bin/true')),
      row('price: anonymous page fault', 'µs', Array.from({ length: 5 }, pageFaultMicros)),
    ];
  },
};

/** First touches of fresh memory. Too large for the allocator's free lists, so that each is a fault. */
function pageFaultMicros(): number {
  const memory = Buffer.allocUnsafeSlow(PAGES * PAGE_BYTES);
  const from = performance.now();
  for (let at = 0; at < memory.length; at += PAGE_BYTES) memory[at] = 1;
  return ((performance.now() - from) * 1000) / PAGES;
}
