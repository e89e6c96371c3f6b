import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, type RunOptions, runAsAgent } from '../helpers/agent.ts';
import { bareEnv, type Home, startHome } from '../helpers/home.ts';

let home: Home;
let scratch: string;
beforeAll(async () => {
  home = await startHome();
  scratch = mkdtempSync('/tmp/cvf-');
  writeFileSync(join(scratch, 'snap.sh'), 'export FROM_SNAPSHOT=1\nmyfn() { echo "fn:$1"; }\n');
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await home.stop();
});

interface Form {
  name: string;
  args: (shell: string) => string[];
  stdin?: string;
  only?: 'bash' | 'zsh';
}

/** Small outputs: they stay literal, so hooked and bare must be equal to the byte. */
const FORMS: Form[] = [
  { name: 'plain', args: () => ['-c', 'seq 1 5; echo err >&2; cd /; pwd'] },
  ...[0, 1, 3, 127, 255].map((code) => ({
    name: `exit ${code}`,
    args: () => ['-c', `echo x; exit ${code}`],
  })),
  { name: 'command not found', args: () => ['-c', 'no_such_command_x'] },
  { name: 'syntax error', args: () => ['-c', 'echo a; if then'] },
  { name: 'stdin of the command', args: () => ['-c', 'cat; echo done'], stdin: 'line one\nline two\n' },
  { name: '$0 and $@', args: () => ['-c', 'echo "$0|$1|$2|$#"', 'nm', 'a b', ''] },
  { name: 'no arguments', args: () => ['-c', 'echo "$#"'] },
  { name: 'login shell', args: () => ['-lc', 'echo hi; exit 4'] },
  {
    name: 'flags -e -u, pipefail',
    args: () => [
      '-euo',
      'pipefail',
      '-c',
      'set -o | grep -E "errexit|nounset|pipefail"; false | true; echo never',
    ],
  },
  { name: 'flag -u and an unset name', args: () => ['-uc', 'echo $NOPE; echo never'] },
  { name: 'flag -x', args: () => ['-xc', 'echo a; (exit 3)'], only: 'bash' },
  { name: 'noclobber', args: () => ['-C', '-c', 'echo a; echo $-'] },
  { name: 'allexport', args: () => ['-ac', 'FOO=1; env | grep FOO; env | grep -c __cv'] },
  { name: 'SHLVL', args: () => ['-c', 'echo $SHLVL'] },
  { name: 'EXIT trap', args: () => ['-c', 'trap "echo bye" EXIT; echo a; exit 2'] },
  { name: 'ignored signals', args: () => ['-c', 'grep -E "Sig(Ign|Blk|Cgt)" /proc/self/status'] },
  { name: 'umask, locale, limits', args: () => ['-c', 'umask; locale 2>&1 | head -1; ulimit -n'] },
  {
    name: 'nothing of ours in sight',
    args: () => ['-c', 'set | grep -ci "^__cv\\|caveman_tried"; functions 2>/dev/null; alias; trap'],
  },
  { name: 'no final newline', args: () => ['-c', 'printf x'] },
  { name: 'empty output', args: () => ['-c', 'true'] },
  {
    name: 'a pipe inside keeps raw bytes',
    args: () => ['-c', 'seq 1 2000 | md5sum; x=$(seq 1 2000); echo ${#x}'],
  },
  { name: 'jobs and wait', args: () => ['-c', '(exit 7) & wait $!; echo w=$?'] },
  { name: 'exec', args: () => ['-c', 'echo a; exec sh -c "echo b; exit 6"'] },
  { name: 'nested shell', args: (shell) => ['-c', `${shell} -c 'seq 1 500 | tail -2'; exit 5`] },
  {
    name: 'Claude',
    args: () => [
      '-c',
      `source ${scratch}/snap.sh && eval 'echo hi; myfn 3; cd /usr; false' </dev/null && pwd -P >| ${scratch}/pwd`,
    ],
  },
  {
    name: 'Claude, stdin left a pipe',
    args: () => [
      '-c',
      `source ${scratch}/snap.sh && eval 'echo hi; cd /usr' </dev/null && pwd -P >| ${scratch}/pwd; cat ${scratch}/pwd`,
    ],
    stdin: '',
  },
  {
    name: 'Codex, exec behind the snapshot',
    args: (shell) => [
      '-c',
      `. ${scratch}/snap.sh; exec ${shell} -c 'echo $FROM_SNAPSHOT; echo "$0 $@"; exit 5' a b c`,
    ],
  },
  {
    name: 'Gemini',
    args: () => [
      '-c',
      `shopt -u promptvars nullglob extglob nocaseglob dotglob; ( trap 'jobs -p >${scratch}/jobs' EXIT; echo g; (exit 6) )`,
    ],
    only: 'bash',
  },
  {
    name: 'Cursor',
    args: () => [
      '-O',
      'extglob',
      '-c',
      'shopt extglob; builtin eval "$1"; echo end',
      '--',
      'ls -d @(/usr|/etc); echo "$#"',
    ],
    only: 'bash',
  },
  { name: 'a string of 100 KB', args: () => ['-c', `: ${'x'.repeat(100_000)}; echo long; exit 9`] },
];

const cases = (['bash', 'zsh'] as const).flatMap((shell) =>
  FORMS.filter((form) => !form.only || form.only === shell).map((form) => ({ shell, form })),
);

describe.each(['pty', 'pipe'])('mode %s', (mode) => {
  test.each(cases)('$shell: $form.name: as the bare run', async ({ shell, form }) => {
    const argv = [shell, ...form.args(shell)];
    const options: RunOptions = {
      env: {},
      merged: false,
      ...(form.stdin === undefined ? {} : { stdin: form.stdin }),
    };
    const bare = await runAsAgent(argv, { ...options, env: { ...bareEnv(), ZDOTDIR: scratch } });
    const hooked = await runAsAgent(argv, { ...options, env: { ...home.env, CAVEMAN_MODE: mode } });
    expect(readable(hooked)).toEqual(readable(bare));
  });
});

function readable(ran: Ran): unknown {
  return {
    code: ran.code,
    signal: ran.signal,
    out: ran.out.toString('latin1'),
    err: ran.err.toString('latin1'),
  };
}

test('descriptors 3 and 4 reach the command', async () => {
  const script = `exec 3>${scratch}/three 4>${scratch}/four; exec bash -c 'echo out; echo three >&3; echo four >&4'`;
  const env = { ...home.env, BASH_ENV: '', INNER_ENV: home.env['BASH_ENV'] };
  const ran = await runAsAgent(['sh', '-c', `export BASH_ENV="$INNER_ENV"; ${script}`], { env });
  expect(ran.out.toString()).toBe('out\n');
  expect(readFileSync(join(scratch, 'three'), 'utf8')).toBe('three\n');
  expect(readFileSync(join(scratch, 'four'), 'utf8')).toBe('four\n');
});

test.each(['bash', 'zsh'])('%s: CAVEMAN=raw: every byte as it was', async (shell) => {
  const argv = [shell, '-c', "printf 'a\\0b\\r\\n\\377\\n\\tz\\033[31m'; seq 1 3000"];
  const bare = await runAsAgent(argv, { env: bareEnv() });
  const hooked = await runAsAgent(argv, { env: { ...home.env, CAVEMAN: 'raw' } });
  expect(hooked.out.equals(bare.out)).toBe(true);
});

test.each(['KILL', 'ABRT', 'SEGV', 'ALRM', 'USR1'] as const)(
  'bash: a command that dies of SIG%s: the same signal, and a line that names it',
  async (name) => {
    const argv = ['bash', '-c', `ulimit -c 0; echo before; kill -${name} $$; sleep 1`];
    const bare = await runAsAgent(argv, { env: bareEnv(), merged: false });
    const hooked = await runAsAgent(argv, { env: home.env, merged: false });
    expect({ code: hooked.code, signal: hooked.signal }).toEqual({ code: bare.code, signal: bare.signal });
    expect(hooked.out.toString()).toBe(`before\n[killed by SIG${name}]\n`);
    expect(hooked.err.toString()).toBe(bare.err.toString());
  },
);
