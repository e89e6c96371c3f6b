import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ran, runAsAgent } from '../helpers/agent.ts';
import { bareEnv, type Home, startDaemon, startHome } from '../helpers/home.ts';

let home: Home;
let scratch: string;
beforeAll(async () => {
  home = await startHome();
  scratch = mkdtempSync('/tmp/cve-');
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await home.stop();
});

interface Odd {
  name: string;
  only?: 'bash' | 'zsh';
  argv: (shell: string) => string[];
  env?: NodeJS.ProcessEnv;
}

/** Starts `argv` behind a line of sh that sets something up for it. */
const behind = (line: string, argv: string[]) => ['/bin/sh', '-c', `${line}; exec "$@"`, 'sh', ...argv];

const shadow = (name: string, body: string): Odd => ({
  name: `an exported function ${name} that ${body.startsWith('builtin') ? 'passes on' : 'does something else'}`,
  only: 'bash',
  argv: (shell) => [shell, '-c', 'echo hi; (exit 5)'],
  env: { [`BASH_FUNC_${name}%%`]: `() { ${body}; }` },
});

/** What may surround a command and must be the same inside: the output is small and stays literal. */
const ODD: Odd[] = [
  {
    name: '-k',
    only: 'bash',
    argv: (shell) => [shell, '-kc', 'echo "$-"; env a=b sh -c "echo $a"; exit 3'],
  },
  ...['xtrace:errexit', 'nounset', 'keyword', 'posix', 'noglob:physical'].map(
    (options): Odd => ({
      name: `SHELLOPTS=${options}`,
      only: 'bash',
      argv: (shell) => [shell, '-c', `echo "$SHELLOPTS"; ${shell} -c 'echo "$-"; false; echo on'; exit 4`],
      env: { SHELLOPTS: options },
    }),
  ),
  {
    name: 'BASHOPTS',
    only: 'bash',
    argv: (shell) => [shell, '-c', 'shopt; echo "$BASHOPTS"'],
    env: { BASHOPTS: 'nullglob:failglob:expand_aliases:nocasematch' },
  },
  {
    name: 'options of a long string',
    only: 'bash',
    argv: (shell) => [
      shell,
      '-O',
      'nullglob',
      '-c',
      `shopt; echo "$0" "$@"; : ${'y'.repeat(25_000)}`,
      'n',
      'a b',
      '',
    ],
  },
  ...['<&-', '>&-', '2>&-', '<&- 2>&-'].map(
    (closed): Odd => ({
      name: `with ${closed}`,
      argv: (shell) => [
        '/bin/sh',
        '-c',
        `exec "$@" ${closed}`,
        'sh',
        shell,
        '-c',
        'for i in 0 1 2; do [ -e /proc/self/fd/$i ] || exit 1$i; done; echo all open; exit 2',
      ],
    }),
  ),
  {
    name: 'a directory that is gone',
    argv: (shell) => behind('mkdir gone; cd gone; rmdir ../gone', [shell, '-c', 'cd .; ls; exit 6']),
  },
  {
    name: 'signals that are ignored',
    argv: (shell) =>
      behind("trap '' TERM HUP PIPE USR1", [
        shell,
        '-c',
        'grep SigIgn /proc/self/status; kill -TERM $$; kill -HUP $$; kill -USR1 $$; echo still here; exit 7',
      ]),
  },
  {
    name: 'signals that a script ignores in the background',
    argv: (shell) => behind("trap '' INT QUIT", [shell, '-c', 'grep SigIgn /proc/self/status']),
  },
  {
    name: 'few descriptors',
    argv: (shell) => behind('ulimit -n 32', [shell, '-c', 'ulimit -n; echo ok; exit 3']),
  },
  ...[12, 14, 16, 18].map(
    (n): Odd => ({
      name: `${n} descriptors`,
      only: 'bash',
      argv: (shell) => behind(`ulimit -n ${n}`, [shell, '-c', 'echo ok; exit 3']),
    }),
  ),
  { name: 'umask 777', argv: (shell) => behind('umask 777', [shell, '-c', 'umask; exit 3']) },
  { name: 'TMOUT', argv: (shell) => [shell, '-c', 'echo "$TMOUT"; exit 3'], env: { TMOUT: '1' } },
  { name: 'IFS', argv: (shell) => [shell, '-c', 'x=a:b; echo $x; exit 3'], env: { IFS: ':' } },
  ...['read', 'printf', 'exec', 'kill', 'wait', 'trap', 'export', 'set'].map((name) =>
    shadow(name, `echo "not ${name}" >&2`),
  ),
  ...['read', 'printf', 'exec', 'kill', 'wait', 'trap', 'export', 'set'].map((name) =>
    shadow(name, `builtin ${name} "$@"`),
  ),
];

const cases = (['bash', 'zsh'] as const).flatMap((shell) =>
  ODD.filter((odd) => !odd.only || odd.only === shell).map((odd) => ({ shell, odd })),
);

describe.each(['pty', 'pipe'])('mode %s', (mode) => {
  test.each(cases)('$shell: $odd.name: as the bare run', async ({ shell, odd }) => {
    const argv = odd.argv(shell);
    const run = (env: NodeJS.ProcessEnv) => {
      const cwd = mkdtempSync(join(scratch, 'cwd-'));
      return runAsAgent(argv, { env: { ...env, ...odd.env }, merged: false, cwd });
    };
    // zsh goes through a start-up file in both.
    const bare = await run({ ...bareEnv(), ZDOTDIR: emptyStartUp() });
    const hooked = await run({ ...home.env, CAVEMAN_MODE: mode });
    expect(readable(hooked)).toEqual(readable(bare));
  });
});

function emptyStartUp(): string {
  const dir = join(scratch, 'zdotdir');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, '.zshenv'), 'if [ -r /nonexistent ]; then :; fi\n');
  return dir;
}

function readable(ran: Ran): unknown {
  return {
    code: ran.code,
    signal: ran.signal,
    out: ran.out.toString('latin1'),
    err: ran.err.toString('latin1').replaceAll(/cwd-\w+/g, 'cwd'),
  };
}

describe.each(['bash', 'zsh'])('%s', (shell) => {
  test('the environment gains what docs/agents.md names, and nothing else', async () => {
    const names = async (env: NodeJS.ProcessEnv) => {
      const ran = await runAsAgent([shell, '-c', "env -0 | cut -z -d= -f1 | tr '\\0' '\\n'"], { env });
      return new Set(ran.out.toString().trim().split('\n'));
    };
    const bare = await names({ ...home.env, CAVEMAN: 'off' });
    const added = [...(await names({ ...home.env, CAVEMAN_MODE: 'pty' }))].filter((name) => !bare.has(name));
    expect(added.filter((name) => !name.startsWith('CAVEMAN_')).sort()).toEqual(
      ('GH_PAGER GIT_PAGER GIT_TERMINAL_PROMPT MANPAGER NO_COLOR PAGER SYSTEMD_PAGER ' + 'TERM').split(' '),
    );
  });

  test('a guard that nothing can be read of does not capture its own command again', async () => {
    // As where /proc shows a user nothing of others: the agent's process seems to be gone.
    const env = { ...home.env, CAVEMAN_MODE: 'pipe' };
    const gone = `${shell} -c 'echo "$CAVEMAN_CAPTURE"'`;
    const ran = await runAsAgent([shell, '-c', `echo "$CAVEMAN_CAPTURE"; CAVEMAN_GUARD=x exec ${gone}`], {
      env,
    });
    const [outer, inner] = ran.out.toString().trim().split('\n');
    expect(outer).toMatch(/^[0-9a-f]{16}$/);
    expect(inner).toBe(outer);
  });
});

test('zsh: aliases of a start-up file do not reach into the hook', async () => {
  const dir = mkdtempSync(join(scratch, 'aliases-'));
  const lines = [
    "alias -g C='| wc -c'",
    "alias -g T='| tail -1'",
    "alias kill='echo no kill'",
    "alias trap='echo no trap'",
  ];
  const zshenv = `${home.env['ZDOTDIR']}/.zshenv`;
  writeFileSync(join(dir, '.zshenv'), `${lines.join('\n')}\n. '${zshenv}'\n`);
  const ran = await runAsAgent(['zsh', '-c', 'seq 1 1500; kill here; seq 3 T; exit 3'], {
    env: { ...home.env, ZDOTDIR: dir },
    merged: false,
  });
  expect(ran.err.toString()).toBe('');
  expect(ran.out.toString()).toContain('\nno kill here\n3\n[');
  expect(ran.out.toString()).toContain('exit 3 · ');
  expect(ran.code).toBe(3);
});

test('a command that runs across a restart of the daemon: its view arrives', async () => {
  const gate = join(scratch, 'gate');
  execFileSync('mkfifo', [gate]);
  const env = { ...home.env, CAVEMAN_MODE: 'pipe' };
  const running = runAsAgent(['bash', '-c', `echo > ${gate}; read -r < ${gate}; seq 1 1500; exit 3`], {
    env,
  });
  // Returns once the command stands at the gate; the old daemon lingers for it, the new one clears the directory.
  execFileSync('cat', [gate]);
  const old = home.daemon;
  const left = once(old, 'exit');
  old.kill('SIGTERM');
  home.daemon = await successor(home.dir);
  execFileSync('sh', ['-c', `echo > ${gate}`]);
  const ran = await running;
  expect(ran.out.toString()).toContain('[1500→');
  expect(ran.code).toBe(3);
  await left;
});

/** Started again while the old one still holds the lock. */
async function successor(dir: string): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startDaemon(dir);
    } catch (error) {
      if (attempt === 20) throw error;
    }
  }
}
