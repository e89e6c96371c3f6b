import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { bytesOf, capturesOnce, chatter, clientOf, handleIn } from '../helpers/archived.ts';
import { runCli } from '../helpers/cli.ts';
import { hookedEnv, ROOT } from '../helpers/home.ts';

const ROOM = '4m';
const LINES = 400_000;

let dir: string;
let home: string;
let env: NodeJS.ProcessEnv;

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  const at = mkdtempSync('/tmp/cvm-');
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', at]).status === 0;
  if (mounted) execFileSync('umount', [at]);
  rmSync(at, { recursive: true });
  return mounted;
}

beforeEach(async () => {
  dir = mkdtempSync('/tmp/cvd-');
  home = join(dir, 'home');
  execFileSync('mkdir', [home]);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${ROOM},mode=700`, 'none', home]);
  writeFileSync(
    join(dir, '.zshenv'),
    `if [ -r '${ROOT}/shell/env.zsh' ]; then . '${ROOT}/shell/env.zsh'; fi\n`,
  );
  env = { ...hookedEnv(home), ZDOTDIR: dir };
  const started = await runCli(['daemon', 'start'], { home });
  expect(started.exit, started.stderr).toBe(0);
});
afterEach(async () => {
  await runCli(['daemon', 'stop'], { home, cwd: '/' });
  execFileSync('umount', ['-l', home]);
  rmSync(dir, { recursive: true });
});

/** About 12 MB on one stream. */
const numbered = (tag: string) =>
  Array.from({ length: LINES }, (_, i) => `${tag} numbered line ${i + 1}\n`).join('');

describe.runIf(canMount()).each(['bash', 'zsh'])('a disk that runs full under %s', (shell) => {
  test.each(['pty', 'pipe'])(
    'on a %s: every byte once and in order, the status kept, and later all is well again',
    async (mode) => {
      const script = `seq -f 'out numbered line %.0f' ${LINES} & seq -f 'err numbered line %.0f' ${LINES} >&2; wait; exit 3`;
      const two = await runAsAgent([shell, '-c', script], {
        env: { ...env, CAVEMAN_MODE: mode },
        merged: false,
      });
      expect(two.code).toBe(3);
      expect(two.out.toString() === numbered('out')).toBe(true);
      expect(two.err.toString() === numbered('err')).toBe(true);
      const one = await runAsAgent(
        [shell, '-c', `seq -f 'out numbered line %.0f' ${LINES} | dd status=none; exit 4`],
        {
          env: { ...env, CAVEMAN_MODE: mode },
        },
      );
      expect(one.code).toBe(4);
      expect(one.out.toString() === numbered('out')).toBe(true);
      // No room for anything: even the smallest capture.
      execFileSync('sh', ['-c', `dd if=/dev/zero of=${home}/filler bs=4k status=none; true`], {
        stdio: 'ignore',
      });
      const full = await runAsAgent(
        [
          shell,
          '-c',
          'for ((i = 0; i < 300; i++)); do echo "tight step $i compiled without a word"; done; exit 5',
        ],
        {
          env: { ...env, CAVEMAN_MODE: mode },
        },
      );
      expect(full.code).toBe(5);
      expect(full.out.toString()).toBe(chatter('tight', 300));
      rmSync(join(home, 'filler'));
      const { out, code } = await servedAgain(shell, mode);
      expect(code).toBe(6);
      const client = await clientOf(home);
      await capturesOnce(client, (all) => all.some((row) => row.handle === handleIn(out)));
      expect((await bytesOf(client, handleIn(out)!)).toString()).toBe(chatter('roomy', 300));
      await client.close();
    },
  );
});

/** A worker that could not write for want of room tries again at most every 2 s. */
async function servedAgain(shell: string, mode: string): Promise<{ out: string; code: number | null }> {
  for (let attempt = 0; attempt < 200; attempt++) {
    const script =
      'for ((i = 0; i < 300; i++)); do echo "roomy step $i compiled without a word"; done; exit 6';
    const ran = await runAsAgent([shell, '-c', script], { env: { ...env, CAVEMAN_MODE: mode } });
    const out = ran.out.toString();
    if (handleIn(out) !== null) return { out, code: ran.code };
    expect(out).toBe(chatter('roomy', 300));
  }
  throw new Error('nothing is projected any more');
}
