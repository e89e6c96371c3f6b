import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { chatter, handleIn } from '../helpers/archived.ts';
import { type Home, ROOT, startHome } from '../helpers/home.ts';

const WALLS = ['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-all'];
const works = spawnSync(WALLS[0]!, [...WALLS.slice(1), 'true']).status === 0;
const LINES = 200;
const original = chatter('walled', LINES);
const NOISE = `for ((i = 0; i < ${LINES}; i++)); do echo "walled step $i compiled without a word"; done`;

let home: Home;
beforeAll(async () => {
  home = await startHome();
});
afterAll(() => home.stop());

describe.runIf(works).each(['bash', 'zsh'])(
  '%s in a sandbox without network, processes and writing',
  (shell) => {
    test('is projected, and expand works inside', async () => {
      const ran = await runAsAgent([...WALLS, shell, '-c', `${NOISE}; exit 3`], { env: home.env });
      const handle = handleIn(ran.out.toString());
      expect(handle, ran.out.toString()).not.toBeNull();
      expect(ran.code).toBe(3);
      const { CAVEMAN_AGENT: _, BASH_ENV: __, ...plain } = home.env;
      const expanded = await runAsAgent([...WALLS, `${ROOT}/shell/caveman`, 'expand', handle!], {
        env: plain,
        merged: false,
      });
      expect(expanded.err.toString()).toBe('');
      expect(expanded.out.toString()).toBe(original);
      expect(expanded.code).toBe(0);
      const wrong = handle!.slice(0, -1) + (handle!.endsWith('0') ? '1' : '0');
      const missed = await runAsAgent([...WALLS, `${ROOT}/shell/caveman`, 'expand', wrong], {
        env: plain,
        merged: false,
      });
      expect(missed.out.toString()).toBe('');
      expect(missed.err.toString()).toMatch(/^caveman: [^\n]+\n$/);
      expect(missed.code).toBe(1);
    });

    test('a sandbox inside a captured command is left alone', async () => {
      const inner = `${shell} -c 'seq 300' | tail -1; ${WALLS.join(' ')} ${shell} -c 'seq 300' | wc -l`;
      const ran = await runAsAgent([shell, '-c', inner], { env: home.env });
      expect(ran.out.toString()).toBe('300\n300\n');
    });

    test('without sight of our files it runs untouched', async () => {
      const env = { ...home.env, CAVEMAN_HOME: '/tmp/not-there' };
      const ran = await runAsAgent([...WALLS, '--tmpfs', '/tmp', shell, '-c', `${NOISE}; exit 4`], { env });
      expect(ran.out.toString()).toBe(original);
      expect(ran.code).toBe(4);
      const hidden = await runAsAgent([...WALLS, '--tmpfs', '/tmp', shell, '-c', `${NOISE}; exit 5`], {
        env: home.env,
      });
      expect(hidden.out.toString()).toBe(original);
      expect(hidden.code).toBe(5);
    });
  },
);
