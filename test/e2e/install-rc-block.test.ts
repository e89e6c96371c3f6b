import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rcBlock, withDirectory } from '../helpers/start-up-files.ts';

const start = '# >>> caveman >>>';
const end = '# <<< caveman <<<';

interface Place {
  dir: string;
  rc: string;
  put: (shell?: string) => ReturnType<typeof rcBlock>;
  remove: () => ReturnType<typeof rcBlock>;
}

function inHome<T>(use: (place: Place) => T | Promise<T>): Promise<T> {
  return withDirectory((dir) => {
    for (const name of ['home', 'work']) mkdirSync(join(dir, name));
    const rc = join(dir, 'home', '.bashrc');
    return use({
      dir,
      rc,
      put: (shell = 'bash') => rcBlock(dir, 'rc_put', [rc, shell]),
      remove: () => rcBlock(dir, 'rc_remove', [rc]),
    });
  });
}

describe('the block in a start-up file', () => {
  const contents: Record<string, Buffer> = {
    'plain lines': Buffer.from('export A=1\nalias x=y\n'),
    'no final newline': Buffer.from('export A=1\nexport B=2'),
    'CRLF lines': Buffer.from('export A=1\r\nexport B=2\r\n'),
    'an empty file': Buffer.alloc(0),
    'one newline': Buffer.from('\n'),
    'NUL and invalid UTF-8 bytes': Buffer.from([0x61, 0x00, 0xff, 0xfe, 0x0a, 0xc3, 0x28, 0x00]),
    'lines that only resemble a marker': Buffer.from(` ${start}\necho '${end}'\n`),
  };
  for (const [name, before] of Object.entries(contents)) {
    it(`stands first, once, and leaves again without a trace: ${name}`, () =>
      inHome(({ rc, put, remove }) => {
        writeFileSync(rc, before);
        expect(put().status).toBe(0);
        const once = readFileSync(rc);
        expect(once.indexOf(start)).toBe(0);
        expect(once.subarray(once.length - before.length)).toEqual(before);
        expect(put().status).toBe(0);
        expect(readFileSync(rc)).toEqual(once);
        expect(remove().status).toBe(0);
        expect(readFileSync(rc)).toEqual(before);
      }));
  }

  it('is replaced by a newer one wherever the user moved it', () =>
    inHome(({ rc, put, remove }) => {
      writeFileSync(rc, `one\n${start}\nold text\n${end}\ntwo\n${start}\nolder text\n${end}\nthree`);
      expect(put().status).toBe(0);
      const text = readFileSync(rc, 'utf8');
      expect(text.split(start)).toHaveLength(2);
      expect(text).not.toContain('old');
      expect(text.endsWith(`${end}\none\ntwo\nthree`)).toBe(true);
      remove();
      expect(readFileSync(rc, 'utf8')).toBe('one\ntwo\nthree');
    }));

  it('without its end line is left for a human', () =>
    inHome(({ rc, put, remove }) => {
      const before = `one\n${start}\nhalf\n`;
      writeFileSync(rc, before);
      for (const answer of [put(), remove()]) {
        expect(answer.status).toBe(1);
        expect(answer.stdout).toContain('without its end line');
      }
      expect(readFileSync(rc, 'utf8')).toBe(before);
    }));

  it('in a file that was not there: the file goes with it, unless the user added to it', () =>
    inHome(({ rc, put, remove }) => {
      put();
      put();
      expect(existsSync(rc)).toBe(true);
      remove();
      expect(existsSync(rc)).toBe(false);
      put();
      writeFileSync(rc, `${readFileSync(rc, 'utf8')}alias mine=1\n`);
      put();
      remove();
      expect(readFileSync(rc, 'utf8')).toBe('alias mine=1\n');
    }));

  it('is written through a link, which stays a link', () =>
    inHome(({ dir, rc, put, remove }) => {
      const real = join(dir, 'dotfiles-bashrc');
      writeFileSync(real, 'export A=1');
      symlinkSync('../dotfiles-bashrc', rc);
      expect(put().status).toBe(0);
      expect(readlinkSync(rc)).toBe('../dotfiles-bashrc');
      expect(readFileSync(real, 'utf8').startsWith(start)).toBe(true);
      remove();
      expect(lstatSync(rc).isSymbolicLink()).toBe(true);
      expect(readFileSync(real, 'utf8')).toBe('export A=1');
    }));

  it('keeps mode, owner and hard links of the file', () =>
    inHome(({ dir, rc, put, remove }) => {
      writeFileSync(rc, 'a\n');
      chmodSync(rc, 0o640);
      put();
      expect(statSync(rc).mode & 0o777).toBe(0o640);
      const twin = join(dir, 'twin');
      linkSync(rc, twin);
      remove();
      expect(statSync(twin).ino).toBe(statSync(rc).ino);
      expect(readFileSync(twin, 'utf8')).toBe('a\n');
    }));

  it('leaves what is no plain file alone', () =>
    inHome(({ rc, put }) => {
      symlinkSync('/dev/null', rc);
      const answer = put();
      expect(answer.status).toBe(1);
      expect(answer.stdout).toContain('not a plain file');
      expect(readlinkSync(rc)).toBe('/dev/null');
    }));

  it.runIf(process.getuid?.() === 0)('for a read-only file is printed to be pasted', () =>
    inHome(({ dir, rc }) => {
      const uid = 65534;
      writeFileSync(rc, 'export A=1\n', { mode: 0o444 });
      for (const path of [dir, join(dir, 'home'), join(dir, 'work'), rc]) chownSync(path, uid, uid);
      const answer = rcBlock(dir, 'rc_put', [rc, 'bash'], uid);
      expect(answer.status).toBe(1);
      expect(answer.stderr).toBe('');
      const printed = answer.stdout.slice(
        answer.stdout.indexOf(start),
        answer.stdout.indexOf(end) + end.length,
      );
      expect(readFileSync(rc, 'utf8')).toBe('export A=1\n');
      chmodSync(rc, 0o644);
      rcBlock(dir, 'rc_put', [rc, 'bash'], uid);
      expect(readFileSync(rc, 'utf8')).toBe(`${printed}\nexport A=1\n`);
      chmodSync(rc, 0o444);
      const refused = rcBlock(dir, 'rc_remove', [rc], uid);
      expect(refused.status).toBe(1);
      expect(refused.stdout).toContain(`remove the lines from "${start}" to "${end}"`);
    }),
  );
});
