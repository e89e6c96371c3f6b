import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAsAgent, STDOUT_KINDS, untranslated } from '../helpers/agent.ts';
import { bareEnv, type Home, ROOT, startHome } from '../helpers/home.ts';

const LOG = join(ROOT, 'test/fixtures/build.log');
const EXPECTED = readFileSync(join(ROOT, 'test/fixtures/build.expected.txt'), 'utf8');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
/** A program of its own, not `cat`, whose output is a file read and stays literal. */
const BUILD = `awk '{ print }' ORS='\\n' '${LOG}' | dd status=none; exit 3`;

let home: Home;
beforeAll(async () => {
  home = await startHome();
});
afterAll(() => home.stop());

describe.each([
  ['bash', ['-c']],
  ['zsh', ['-lc']],
])('%s', (shell, flags) => {
  test.each(STDOUT_KINDS)('a noisy failing build on a %s: nine lines and a footer', async (stdout) => {
    const ran = await runAsAgent([shell, ...flags, BUILD], { env: home.env, stdout });
    const view = untranslated(ran.out);
    const lines = view.trimEnd().split('\n');
    expect(lines.slice(0, -1).join('\n')).toBe(EXPECTED.trimEnd());
    const footer = /^\[124→9 lines · exit 3 · (\S*caveman expand (cv[0-9a-z]{8,}))\]$/.exec(lines.at(-1)!);
    expect(footer, view).not.toBeNull();
    expect(ran.code).toBe(3);
    expect(ran.err.toString()).toBe('');

    // The footer's command, word for word, where neither caveman nor node is on PATH.
    const env = { ...bareEnv(), CAVEMAN_HOME: home.dir, PATH: '/usr/bin:/bin' };
    const expanded = await runAsAgent(['/bin/sh', '-c', footer![1]!], { env, merged: false });
    expect(expanded.err.toString()).toBe('');
    expect(sha256(expanded.out)).toBe(sha256(readFileSync(LOG)));
  });
});
