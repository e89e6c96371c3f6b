import { bareEnv, hookedEnv } from '../../helpers/home.ts';
import { withDirectory } from '../directory.ts';
import type { Group, Rounds } from '../group.ts';
import { type Bar, fact, median, type Row, row } from '../row.ts';
import { extra, interleaved, NODE_START, type Program } from '../timed.ts';
import { served, withHome } from '../trial.ts';

const HOOKED: Bar = { of: 'ratio', sense: 'at most', limit: 0.08 };
const ABSENT: Bar = { of: 'largest', sense: 'at most', limit: 60 };
/** A hung daemon costs half a second each time. */
const HUNG_ROUNDS = 3;

/** What a hook adds to `SHELL -c 'ls /'`: own time minus that of the bare run beside it. */
export const overhead: Group = {
  name: 'overhead',
  async measure(rounds) {
    return [...(await withDaemon(rounds)), ...(await withoutDaemon(rounds))];
  },
};

function ls(shell: string, env: NodeJS.ProcessEnv): Program {
  return { argv: [shell, '-c', 'ls /'], env, says: 'etc' };
}

function withDaemon({ many }: Rounds): Promise<Row[]> {
  return withHome(async (home) => {
    const { CAVEMAN_AGENT: _, ...unmarked } = home.env;
    const bare = { ...bareEnv(), ZDOTDIR: '/nonexistent' };
    const pty = { ...home.env, CAVEMAN_MODE: 'pty' };
    const before = served(home);
    const samples = interleaved(
      {
        node: NODE_START,
        bareBash: ls('bash', bare),
        bash: ls('bash', home.env),
        bashPty: ls('bash', pty),
        bashInactive: ls('bash', unmarked),
        bareZsh: ls('zsh', bare),
        zsh: ls('zsh', home.env),
        zshPty: ls('zsh', pty),
        zshInactive: ls('zsh', unmarked),
      },
      many,
    );
    const nodeStartMs = median(samples.node);
    const overBash = (name: string, of: number[], bar: Bar | null = null) =>
      row(`overhead: bash, ${name}`, 'ms more', extra(of, samples.bareBash), { nodeStartMs, bar });
    const overZsh = (name: string, of: number[]) =>
      row(`overhead: zsh, ${name}`, 'ms more', extra(of, samples.bareZsh), { nodeStartMs });
    return [
      overBash('hooked (FIFO: ls prints other data on a terminal)', samples.bash, HOOKED),
      overBash('hooked, PTY forced', samples.bashPty, HOOKED),
      row('overhead: bash, hooked, extra ÷ the bare run itself', '×', [
        median(extra(samples.bash, samples.bareBash)) / median(samples.bareBash),
      ]),
      overBash('no agent', samples.bashInactive),
      row("overhead: bare zsh -c 'ls /'", 'ms', samples.bareZsh, { nodeStartMs }),
      overZsh('hooked', samples.zsh),
      overZsh('hooked, PTY forced', samples.zshPty),
      overZsh('no agent', samples.zshInactive),
      fact('overhead: every hooked run was captured', served(home) - before === 4 * (many + 1)),
    ];
  });
}

/** Never started, killed with -9 (its FIFOs are still there), stopped by a signal. */
function withoutDaemon({ many }: Rounds): Promise<Row[]> {
  return withDirectory((empty) =>
    withHome(async (home) => {
      home.daemon.kill('SIGSTOP');
      const { hung } = interleaved({ hung: ls('bash', home.env) }, HUNG_ROUNDS);
      home.daemon.kill('SIGKILL');
      const samples = interleaved(
        { killed: ls('bash', home.env), absent: ls('bash', hookedEnv(empty)) },
        many,
      );
      return [
        row('absence: no daemon, whole run', 'ms', samples.absent, { bar: ABSENT }),
        row('absence: daemon killed -9, whole run', 'ms', samples.killed, { bar: ABSENT }),
        row('absence: daemon hangs (SIGSTOP), whole run', 'ms', hung),
      ];
    }),
  );
}
