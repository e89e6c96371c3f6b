import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainEnvironment, ran, rcBlock, root, withDirectory } from '../helpers/start-up-files.ts';

const has = (program: string) => spawnSync(program, ['-c', ':']).status === 0;
const shells = ['bash', 'dash', 'zsh'].filter(has);

interface Home {
  dir: string;
  home: string;
  rc: string;
  product: string;
}

/** A home whose start-up file `name` has the block; `installed` says if the product it names is there. */
function withBlock<T>(name: string, shell: string, installed: boolean, use: (at: Home) => T): Promise<T> {
  return withDirectory((dir) => {
    const home = join(dir, 'home');
    for (const path of [home, join(dir, 'work')]) mkdirSync(path);
    if (installed) symlinkSync(root, join(dir, 'product'));
    const rc = join(home, name);
    writeFileSync(rc, 'echo after-block\n');
    expect(rcBlock(dir, 'rc_put', [rc, shell]).status).toBe(0);
    return use({ dir, home, rc, product: join(dir, 'product') });
  });
}

describe.each(shells)('%s reads the block', (shell) => {
  it.each([true, false])('in silence under -eu, product there: %s', (installed) =>
    withBlock('.profile', shell === 'zsh' ? 'zsh' : 'bash', installed, ({ home, rc }) => {
      const answer = ran([shell, '-euc', '. "$1"; echo end', 'sh', rc], plainEnvironment(home));
      expect(answer).toEqual({ status: 0, stdout: 'after-block\nend\n', stderr: '' });
    }),
  );

  it('and leaves nothing behind but BASH_ENV and what it chains', () =>
    withBlock('.profile', shell === 'zsh' ? 'zsh' : 'bash', true, ({ home, rc, product }) => {
      const env = plainEnvironment(home, { BASH_ENV: '/nowhere/mine' });
      const list = 'env | grep -v "^_=" | sort';
      const before = ran([shell, '-c', list], env).stdout.split('\n');
      const after = ran([shell, '-c', `. "$1" >/dev/null; ${list}`, 'sh', rc], env).stdout.split('\n');
      const added = after.filter((line) => !before.includes(line));
      const expected = [`BASH_ENV=${product}/shell/env.bash`, 'CAVEMAN_BASH_ENV=/nowhere/mine'];
      expect(added).toEqual(shell === 'dash' ? [] : expected);
    }));
});

describe('an earlier BASH_ENV', () => {
  it('is still read by every bash, once, whatever start-up files stand before it', () =>
    withBlock('.bash_profile', 'bash', true, ({ home }) => {
      const mine = join(home, 'mine.bash');
      writeFileSync(mine, 'echo mine\n');
      const nested = `bash -c 'echo inner'`;
      const answer = ran(['bash', '-lc', nested], plainEnvironment(home, { BASH_ENV: mine }));
      expect(answer.stderr).toBe('');
      expect(answer.stdout).toBe('after-block\nmine\nmine\ninner\n');
    }));

  it('is not read by a shell that would not have read it', () =>
    withBlock('.bashrc', 'bash', true, ({ home, rc }) => {
      const mine = join(home, 'mine.bash');
      writeFileSync(mine, 'echo mine\n');
      const env = plainEnvironment(home, { BASH_ENV: mine });
      const answer = ran(['bash', '--rcfile', rc, '-ic', 'echo here'], env);
      expect(answer.stdout).toBe('after-block\nhere\n');
    }));
});

it.each(shells)('%s reads a block whose path has spaces, quotes and dollars in it', (shell) =>
  withDirectory((outer) => {
    const dir = join(outer, `it's "a" $HOME \\ home`);
    for (const path of [dir, join(dir, 'home'), join(dir, 'work')]) mkdirSync(path);
    symlinkSync(root, join(dir, 'product'));
    const rc = join(dir, 'home', '.profile');
    rcBlock(dir, 'rc_put', [rc, shell === 'zsh' ? 'zsh' : 'bash']);
    const script = '. "$1"; printenv BASH_ENV || echo none';
    const answer = ran([shell, '-euc', script, 'sh', rc], plainEnvironment(join(dir, 'home')));
    const named = shell === 'dash' ? 'none' : join(dir, 'product/shell/env.bash');
    expect(answer).toEqual({ status: 0, stdout: `${named}\n`, stderr: '' });
    expect(existsSync(named)).toBe(shell !== 'dash');
  }),
);
