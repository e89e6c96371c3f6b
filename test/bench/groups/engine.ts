import { spawnSync } from 'node:child_process';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProjector } from '../../../src/engine/project.ts';
import type { ProjectOptions } from '../../../src/engine/types.ts';
import { bareEnv } from '../../helpers/home.ts';
import { withDirectory } from '../directory.ts';
import type { Group } from '../group.ts';
import { binary, colouredBuildLog, distinctLines, plainLog, progressLog } from '../inputs.ts';
import { type Bar, row } from '../row.ts';
import { LAUNCHER } from '../trial.ts';

const LOG_LINES = 600_000;
const CHUNK_BYTES = 128 * 1024;
const BAR: Bar = { of: 'median', sense: 'at least', limit: 20 };
const OPTIONS: ProjectOptions = {
  command: 'make',
  argument: '',
  stream: 'stdout',
  exit: 2,
  signal: null,
  maxTokens: 6_000,
  literal: null,
  cutShort: false,
  origin: 'capture',
};

/** `compress` end to end, Node start and token counts included; and the engine alone, warm, on several kinds of output. */
export const engine: Group = {
  name: 'engine',
  async measure({ few }) {
    const log = colouredBuildLog(LOG_LINES);
    const size = `${(log.length / 1e6).toFixed(0)} MB, ${LOG_LINES.toLocaleString('en-US')} coloured lines`;
    const alone = (name: string, bytes: Buffer) =>
      row(`engine: alone, ${name}`, 'MB/s', projected(bytes, few));
    return [
      row(`engine: compress --no-archive, ${size}`, 'MB/s', await compressed(log, few), { bar: BAR }),
      alone('the same coloured log', log),
      alone('plain log', plainLog(400_000)),
      alone('redrawn progress bar', progressLog(300_000)),
      alone('all lines distinct', distinctLines(400_000)),
      alone('binary', binary(10_000_000)),
    ];
  },
};

function compressed(log: Buffer, rounds: number): Promise<number[]> {
  return withDirectory(async (dir) => {
    const path = join(dir, 'log');
    writeFileSync(path, log);
    return Array.from({ length: rounds }, () => {
      const stdin = openSync(path, 'r');
      const from = performance.now();
      const done = spawnSync(LAUNCHER, ['compress', '--no-archive'], {
        env: { ...bareEnv(), CAVEMAN_HOME: dir },
        stdio: [stdin, 'pipe', 'pipe'],
      });
      const took = performance.now() - from;
      closeSync(stdin);
      if (JSON.parse(done.stderr.toString()).method !== 'terminal') throw new Error(done.stderr.toString());
      return log.length / 1e3 / took;
    });
  });
}

/** One pass to warm up is not counted. */
function projected(bytes: Buffer, rounds: number): number[] {
  return Array.from({ length: rounds + 1 }, () => {
    const from = performance.now();
    const projector = createProjector(OPTIONS);
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      projector.push(bytes.subarray(at, at + CHUNK_BYTES));
    projector.finish();
    return bytes.length / 1e3 / (performance.now() - from);
  }).slice(1);
}
