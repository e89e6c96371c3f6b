import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPtyPackage } from '../../../src/pty/package.ts';
import { openHeldPty } from '../../../src/pty/pair.ts';
import { setRaw } from '../../../src/pty/raw-mode.ts';
import { bareEnv, type Home } from '../../helpers/home.ts';
import type { Group } from '../group.ts';
import { withLargeLog } from '../large-log.ts';
import { type Bar, row } from '../row.ts';
import { archived, streamed, withHome } from '../trial.ts';

const BYTES = 200_000_000;
const PTY: Bar = { of: 'median', sense: 'at least', limit: 40 };
const FIFO: Bar = { of: 'median', sense: 'at least', limit: 200 };

/** How fast a command can print while every byte goes to the spool: it times itself around its own writing. */
export const capture: Group = {
  name: 'capture',
  measure({ few }) {
    return withLargeLog(BYTES, (log) =>
      withHome(async (home) => {
        const rates: Record<string, number[]> = { file: [], held: [], pty: [], pipe: [] };
        for (let round = 0; round < few; round++) {
          for (const mode of Object.keys(rates))
            rates[mode]!.push(mode === 'held' ? await heldPtyRate(log) : await rate(home, log, mode));
        }
        return [
          row('capture: PTY, 200 MB', 'MB/s', rates['pty']!, { bar: PTY }),
          row('capture: FIFO, 200 MB', 'MB/s', rates['pipe']!, { bar: FIFO }),
          row('price: 200 MB into a PTY that one cat reads', 'MB/s', rates['held']!),
          row('price: cat of 200 MB to a file on the same disk', 'MB/s', rates['file']!),
        ];
      }),
    );
  },
};

async function rate(home: Home, log: string, mode: string): Promise<number> {
  const took = join(home.dir, 'took');
  const to = mode === 'file' ? `>'${join(home.dir, 'copy')}'` : '';
  const script = `s=$EPOCHREALTIME; cat '${log}' ${to}; e=$EPOCHREALTIME; echo $((\${e/./} - \${s/./})) >'${took}'`;
  const off = mode === 'file' ? { CAVEMAN: 'off' } : { CAVEMAN_MODE: mode };
  const done = await streamed(['bash', '-c', script], { ...home.env, ...off });
  if (mode !== 'file' && !/caveman expand cv/.test(done.end)) throw new Error(`not captured: ${done.end}`);
  await archived(home);
  return BYTES / Number(readFileSync(took, 'utf8'));
}

/** What this kernel's terminals can do at all: the same holder, and nobody behind it. */
async function heldPtyRate(log: string): Promise<number> {
  const nowhere = openSync('/dev/null', 'w');
  const pty = openHeldPty(loadPtyPackage(), nowhere);
  closeSync(nowhere);
  try {
    if ((await setRaw([pty.path])) !== 0) throw new Error('stty could not put a terminal into raw mode');
    const from = performance.now();
    await ended(spawn('cat', [log], { stdio: ['ignore', pty.slaveFd, 'ignore'], env: bareEnv() }));
    return BYTES / 1e3 / (performance.now() - from);
  } finally {
    const over = once(pty.holder, 'exit');
    closeSync(pty.slaveFd);
    await over;
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const [status] = await once(child, 'exit');
  if (status !== 0) throw new Error(`cat ended with ${status}`);
}
