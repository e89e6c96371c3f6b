import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainEnvironment, type Ran, ran, root, withDirectory } from '../helpers/start-up-files.ts';

const nobody = 65534;
const shells = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);

interface Machine {
  dir: string;
  home: string;
  env: NodeJS.ProcessEnv;
  install: (...flags: string[]) => Ran;
}

/** A user's home of its own, with a caveman home beside it; the daemon is stopped at the end, come what may. */
function onMachine(use: (at: Machine) => void, uid?: number): Promise<void> {
  return withDirectory((dir) => {
    const home = join(dir, 'home');
    mkdirSync(home);
    if (uid !== undefined) for (const path of [dir, home]) chownSync(path, uid, uid);
    const env = plainEnvironment(home, { CAVEMAN_HOME: join(dir, 's'), TMPDIR: dir });
    const as = uid === undefined ? {} : { uid };
    const install = (...flags: string[]) =>
      ran([join(root, 'install.sh'), '--from-built', ...flags], env, as);
    try {
      use({ dir, home, env, install });
    } finally {
      ran([join(root, 'shell/caveman'), 'daemon', 'stop'], env, as);
    }
  });
}

/** Every path under `dir` with its kind, and the bytes or target behind it. */
function picture(dir: string, prefix = ''): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    const at = lstatSync(path);
    const key = `${prefix}${name}`;
    if (at.isSymbolicLink()) seen[key] = `link ${readlinkSync(path)}`;
    else if (at.isDirectory()) Object.assign(seen, { [key]: 'directory' }, picture(path, `${key}/`));
    else seen[key] = `${at.mode.toString(8)} ${readFileSync(path).toString('base64')}`;
  }
  return seen;
}

/** Each of them copies the product and starts daemons; on a loaded machine that takes its time. */
describe('install.sh', { timeout: 240_000 }, () => {
  it('installs, captures a real command in each shell, upgrades in place, and leaves the home as it was', () =>
    onMachine(({ dir, home, env, install }) => {
      writeFileSync(join(dir, 'bashrc-in-a-repository'), 'export A=1');
      symlinkSync('../bashrc-in-a-repository', join(home, '.bashrc'));
      writeFileSync(join(home, '.bash_login'), 'export B=1\r\n');
      writeFileSync(join(home, '.profile'), 'export C=1\n');
      const before = picture(home);

      const first = install();
      expect(first).toMatchObject({ status: 0, stderr: '' });
      for (const shell of shells) expect(first.stdout).toContain(shell);
      expect(first.stdout).toMatch(/\bcv[0-9a-z]{8,}\b/);
      expect(first.stdout.trimEnd().split('\n').at(-1)).toMatch(/from a new terminal/);
      expect(readFileSync(join(home, '.profile'), 'utf8')).toBe('export C=1\n');
      expect(existsSync(join(home, '.bash_profile'))).toBe(false);
      const launcher = join(home, '.local/bin/caveman');
      expect(readlinkSync(launcher)).toBe(join(home, '.local/share/caveman/shell/caveman'));

      const rcs = picture(home);
      const product = join(home, '.local/share/caveman');
      writeFileSync(join(product, 'left-over-of-an-older-version'), '');
      expect(install()).toMatchObject({ status: 0, stderr: '' });
      expect(existsSync(join(product, 'left-over-of-an-older-version'))).toBe(false);
      expect(readdirSync(join(home, '.local/share'))).toEqual(['caveman']);
      expect(ran([launcher, 'install'], env)).toMatchObject({ status: 0, stderr: '' });
      for (const name of ['.bash_login', '.zshenv', '.local/bin/caveman']) {
        expect(picture(home)[name]).toBe(rcs[name]);
      }

      expect(ran([launcher, 'uninstall'], env)).toMatchObject({ status: 0, stderr: '' });
      expect(picture(home)).toEqual(before);
      expect(readFileSync(join(dir, 'bashrc-in-a-repository'), 'utf8')).toBe('export A=1');
      expect(existsSync(join(dir, 's/archive'))).toBe(true);
      expect(install('--uninstall', '--purge').status).toBe(0);
      expect(existsSync(join(dir, 's'))).toBe(false);
    }));

  it.runIf(process.getuid?.() === 0)('works for another user, who must paste into a read-only file', () =>
    onMachine(({ home, install }) => {
      const rc = join(home, '.bashrc');
      writeFileSync(rc, 'export A=1\n');
      chownSync(rc, nobody, nobody);
      chmodSync(rc, 0o444);
      const before = picture(home);
      const answer = install();
      expect(answer.stdout).toContain(`cannot write ${rc}; put these lines at its top:`);
      expect(answer.status).toBe(0);
      expect(readFileSync(rc, 'utf8')).toBe('export A=1\n');
      expect(install('--uninstall', '--purge').status).toBe(0);
      expect(picture(home)).toEqual(before);
    }, nobody),
  );

  it('leaves a stranger’s ~/.local/bin/caveman alone', () =>
    onMachine(({ home, install }) => {
      mkdirSync(join(home, '.local/bin'), { recursive: true });
      writeFileSync(join(home, '.local/bin/caveman'), '#!/bin/sh\n');
      const before = picture(home);
      const answer = install();
      expect(answer.stdout).toContain('somebody else');
      install('--uninstall', '--purge');
      expect(picture(home)).toEqual(before);
    }));

  it('--trial shows the result and leaves nothing', () =>
    onMachine(({ dir, home, install }) => {
      const answer = install('--trial');
      expect(answer.stderr).toBe('');
      expect(answer.stdout).toMatch(/\bcv[0-9a-z]{8,}\b/);
      expect(answer.stdout).toContain('left nothing behind');
      expect(answer.status).toBe(0);
      expect(picture(home)).toEqual({});
      expect(readdirSync(dir)).toEqual(['home']);
    }));

  it('says what is wrong with the machine or with the call', () =>
    onMachine(({ dir, install }) => {
      expect(install('--nonsense').status).toBe(2);
      expect(install('--purge').stderr).toContain('--purge goes with --uninstall');
      const old = join(dir, 'node');
      writeFileSync(old, '#!/bin/sh\necho 20.18.3\n', { mode: 0o755 });
      const env = plainEnvironment(join(dir, 'home'), { PATH: `${dir}:/usr/bin:/bin` });
      const answer = ran([join(root, 'install.sh'), '--from-built'], env);
      expect(answer.status).toBe(1);
      expect(answer.stderr).toMatch(/^caveman: node 20\.18\.3 is too old; install Node 20\.19 or newer.*\n$/);
      expect(picture(join(dir, 'home'))).toEqual({});
    }));
});
