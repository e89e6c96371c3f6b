import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { bareEnv, hookedEnv, ROOT } from '../helpers/home.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const SEQ = Array.from({ length: 500 }, (_, i) => `${i + 1}\n`).join('');

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync('/tmp/cvo-');
  chmodSync(scratch, 0o755);
  writeFileSync(
    join(scratch, '.zshenv'),
    `if [ -r '${ROOT}/shell/env.zsh' ]; then . '${ROOT}/shell/env.zsh'; fi\n`,
  );
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

function directory(path: string, mode: number): string {
  mkdirSync(path, { mode });
  return path;
}

function file(path: string): string {
  writeFileSync(path, '');
  return path;
}

function link(path: string): string {
  symlinkSync('/nowhere/at/all', path);
  return path;
}

/** Each lays a home that must not be used, and says who tries. */
const HOMES: [string, { who: string[]; lay: (path: string) => string }][] = [
  ['is another user’s', { who: AS_NOBODY, lay: (path) => directory(path, 0o755) }],
  ['cannot be read', { who: AS_NOBODY, lay: (path) => directory(path, 0o700) }],
  [
    'has a rendezvous directory of another user',
    {
      who: [],
      lay: (path) => {
        mkdirSync(join(path, 'run'), { recursive: true });
        chownSync(join(path, 'run'), NOBODY, NOBODY);
        return path;
      },
    },
  ],
  [
    'has a link as its rendezvous directory',
    {
      who: [],
      lay: (path) => {
        mkdirSync(path);
        mkdirSync(`${path}-elsewhere`);
        symlinkSync(`${path}-elsewhere`, join(path, 'run'));
        return path;
      },
    },
  ],
  ['is a file', { who: [], lay: file }],
  ['lies below /proc', { who: [], lay: () => '/proc/caveman' }],
  ['lies below a file', { who: [], lay: (path) => join(file(path), 'home') }],
  ['is a link to nowhere', { who: [], lay: link }],
];

describe.runIf(isRoot).each(HOMES)('a CAVEMAN_HOME that %s', (_, { who, lay }) => {
  test('the hook lets the command run untouched, the verbs say so in one line', async () => {
    const home = lay(join(scratch, 'home'));
    const env = { ...hookedEnv(home), ZDOTDIR: scratch };
    for (const shell of ['bash', 'zsh']) {
      const ran = await runAsAgent([...who, shell, '-c', 'seq 500; echo oops >&2; exit 3'], {
        env,
        merged: false,
      });
      expect(ran.out.toString()).toBe(SEQ);
      expect(ran.err.toString()).toBe('oops\n');
      expect(ran.code).toBe(3);
    }
    const plain = { ...bareEnv(), CAVEMAN_HOME: home };
    for (const args of [['list'], ['expand', 'cv00000000'], ['daemon', 'start']]) {
      const ran = await runAsAgent([...who, join(ROOT, 'shell/caveman'), ...args], {
        env: plain,
        merged: false,
      });
      expect(ran.out.toString(), args.join(' ')).toBe('');
      expect(ran.err.toString(), args.join(' ')).toMatch(/^caveman: [^\n]*(CAVEMAN_HOME|remove)[^\n]*\n$/);
      expect(ran.code, args.join(' ')).toBe(125);
    }
    const run = await runAsAgent([...who, join(ROOT, 'shell/caveman'), 'run', '--', 'seq', '500'], {
      env: plain,
      merged: false,
    });
    expect(run.out.toString()).toBe(SEQ);
    expect(run.code).toBe(0);
  });
});
