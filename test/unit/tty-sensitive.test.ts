import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isTtySensitive, parseTtySensitive } from '../../src/pty/tty-sensitive.ts';

const table = parseTtySensitive('# comment\nls\ngit log # only this\ngit show\n\n');

describe('a command that names a program that minds a terminal', () => {
  test.each([
    ['ls', true],
    ['/bin/ls -l', true],
    ['cd /x && ls', true],
    ['echo $(ls)', true],
    ['x=`ls`', true],
    ['FOO=1 ls;', true],
    ["eval 'ls -la' </dev/null", true],
    ['git log --oneline', true],
    ['git -C /repo show HEAD', true],
    ['git status', false],
    ['git commit -m log-file', false],
    ['lsof', false],
    ['echo false', false],
    ['npm run build', false],
    ['', false],
  ])('%s: %s', (command, expected) => {
    expect(isTtySensitive(table, command)).toBe(expected);
  });
});

test('a whole program wins over its subcommands, in either order', () => {
  for (const text of ['git\ngit log', 'git log\ngit']) {
    expect(isTtySensitive(parseTtySensitive(text), 'git status')).toBe(true);
  }
});

test('the list that ships is in order: no empty or doubled entry', () => {
  const text = readFileSync(join(import.meta.dirname, '../../src/pty/tty-sensitive.txt'), 'utf8');
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'));
  expect(new Set(lines).size).toBe(lines.length);
  expect(parseTtySensitive(text).has('ls')).toBe(true);
});
