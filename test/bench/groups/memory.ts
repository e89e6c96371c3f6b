import type { Home } from '../../helpers/home.ts';
import type { Group } from '../group.ts';
import { withLargeLog } from '../large-log.ts';
import { type Bar, fact, type Row, row } from '../row.ts';
import { anonMiB, archived, handleIn, LAUNCHER, streamed, withHome } from '../trial.ts';

const LOG_BYTES = 200 * 2 ** 20;
const SAMPLE_MS = 20;
const most = (limit: number): Bar => ({ of: 'largest', sense: 'at most', limit });

interface Load {
  name: string;
  mode: 'pty' | 'pipe';
  /** How often the 200 MiB are printed. */
  times: number;
  /** More than the archive keeps of one capture. */
  loses: boolean;
}
const LOADS: readonly Load[] = [
  { name: '200 MiB through a PTY', mode: 'pty', times: 1, loses: false },
  { name: '200 MiB through a FIFO', mode: 'pipe', times: 1, loses: false },
  { name: '2.1 GiB through a FIFO', mode: 'pipe', times: 11, loses: true },
];

/** Peak anonymous memory from the first byte until the archive has the last one, each load under a fresh daemon. */
export const memory: Group = {
  name: 'memory',
  async measure() {
    return withLargeLog(LOG_BYTES, async (log) => {
      const rows: Row[] = [];
      for (const load of LOADS) rows.push(...(await withHome((home) => under(load, home, log))));
      return rows;
    });
  },
};

async function under(load: Load, home: Home, log: string): Promise<Row[]> {
  const pids = { daemon: home.daemon.pid!, worker: home.workerPid() };
  // A first small capture: whatever is set up on first use belongs to an idle daemon.
  await streamed(['bash', '-c', 'echo ready'], home.env);
  await archived(home);
  const idle = { daemon: anonMiB(pids.daemon), worker: anonMiB(pids.worker) };
  const peak = { ...idle };
  const sampler = setInterval(() => {
    peak.daemon = Math.max(peak.daemon, anonMiB(pids.daemon));
    peak.worker = Math.max(peak.worker, anonMiB(pids.worker));
  }, SAMPLE_MS);
  try {
    const from = performance.now();
    const done = await streamed(['bash', '-c', script(log, load.times)], {
      ...home.env,
      CAVEMAN_MODE: load.mode,
    });
    await archived(home);
    const seconds = (performance.now() - from) / 1000;
    const evidence =
      done.status === 3 &&
      ['error: 7 undefined symbols', 'fatal: build stopped', '· exit 3 ·'].every((part) =>
        done.end.includes(part),
      );
    const note = await streamed([LAUNCHER, 'expand', handleIn(done.end), '--head', '1'], {
      ...home.env,
      CAVEMAN: 'off',
    });
    return [
      row(`memory: idle daemon, before ${load.name}`, 'MiB', [idle.daemon], { bar: most(60) }),
      row(`memory: idle worker, before ${load.name}`, 'MiB', [idle.worker]),
      row(`memory: daemon, ${load.name}`, 'MiB', [peak.daemon], { bar: most(150) }),
      row(`memory: worker, ${load.name}`, 'MiB', [peak.worker], { bar: most(250) }),
      row(`memory: ${load.name}, until all is archived`, 's', [seconds]),
      fact(`memory: the worker of ${load.name} was not restarted`, home.workerPid() === pids.worker),
      fact(`memory: both error lines and the status of ${load.name} are in its view`, evidence),
      fact(
        load.loses
          ? `memory: expand names what was lost of ${load.name}`
          : `memory: nothing was lost of ${load.name}`,
        load.loses === / bytes .* were not kept/.test(note.stderr),
      ),
    ];
  } finally {
    clearInterval(sampler);
  }
}

/** A counted line between the rounds shifts the archive's chunks, so that no round is a copy of another. */
function script(log: string, times: number): string {
  return `for ((i = 0; i < ${times}; i++)); do
    echo "round $i"; cat '${log}'; ((i)) || echo 'error: 7 undefined symbols in libpanel.a'
  done; echo 'fatal: build stopped'; exit 3`;
}
