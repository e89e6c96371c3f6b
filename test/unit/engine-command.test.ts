import { expect, test } from 'vitest';
import { lastProgram } from '../../src/engine/command/last-program.ts';

test.each([
  ['cat a.txt', ['cat', 'a.txt']],
  ['cd src && sed -n "1,40p" main.ts', ['sed', '-n', '1,40p', 'main.ts']],
  ['FOO=1 env cat x', ['cat', 'x']],
  ['cat a | grep b', ['grep', 'b']],
  ['git log | head -5 2>/dev/null', ['head', '-5']],
  ["bash -c 'cat x'", ['cat', 'x']],
  ["sh -lc 'cd /tmp; /bin/cat x'", ['/bin/cat', 'x']],
  ["source /tmp/snap.sh && eval 'cat x.ts' </dev/null && pwd -P >| /tmp/cwd", ['cat', 'x.ts']],
  [". /tmp/snap; exec /bin/zsh -c 'tail -n 3 log'", ['tail', '-n', '3', 'log']],
  ["shopt -u promptvars nullglob; ( trap 'jobs -p' EXIT; cat notes.md )", ['cat', 'notes.md']],
  ['cat "it\'s here" # why', ['cat', "it's here"]],
  ['git show HEAD~2:src/a.ts', ['git', 'show', 'HEAD~2:src/a.ts']],
])('%s', (command, words) => {
  expect(lastProgram(command, '')).toEqual(words);
});

test('the form that evaluates its first argument', () => {
  expect(lastProgram('snap=$1; builtin eval "$1"', 'jq . a.json')).toEqual(['jq', '.', 'a.json']);
});

test.each(['cat <<EOF\nx\nEOF', 'cat "unclosed', 'echo `date` | cat', '$(which cat) x', ''])(
  'not understood: %j',
  (command) => {
    expect(lastProgram(command, '')).toBeNull();
  },
);
