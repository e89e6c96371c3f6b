import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAsAgent } from '../helpers/agent.ts';
import { bareEnv, type Home, startHome } from '../helpers/home.ts';

/** Every marker variable that an agent may set, at once; not the one that overrides the rules. */
const MARKERS: NodeJS.ProcessEnv = Object.fromEntries(
  (
    'CLAUDE_CODE_CHILD_SESSION CODEX_THREAD_ID CODEX_CI GEMINI_CLI OPENCODE CURSOR_AGENT GOOSE_TERMINAL CLINE_ACTIVE ' +
    'ROO_ACTIVE COPILOT_CLI QWEN_CODE CLAUDECODE AI_AGENT CURSOR_TRACE_ID'
  )
    .split(' ')
    .map((name) => [name, '1']),
);

let home: Home;
let scratch: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  home = await startHome();
  scratch = mkdtempSync('/tmp/cvn-');
  const { CAVEMAN_AGENT: _, ...rest } = home.env;
  env = { ...rest, ...MARKERS, AGENT: 'goose' };
});
afterAll(async () => {
  rmSync(scratch, { recursive: true, force: true });
  await home.stop();
});

/** Journal and spool are written for a capture before its command can end. */
const spooled = () => readdirSync(join(home.dir, 'spool')).length;

describe.each(['bash', 'zsh'])('%s', (shell) => {
  test('with these markers a command is captured (so the tests below can fail)', async () => {
    const ran = await runAsAgent([shell, '-c', 'seq 1 1000; exit 3'], { env });
    expect(ran.out.toString()).toContain('caveman expand cv');
    expect(ran.code).toBe(3);
  });

  test('a JSON-RPC server on stdio: answers at once, to the byte', async () => {
    const server = `while IFS= read -r line; do printf '{"jsonrpc":"2.0","result":%s}\\r\\n' "$line"; done`;
    const child = spawn(shell, ['-c', server], { env, stdio: 'pipe', detached: true });
    for (let id = 1; id <= 20; id++) {
      child.stdin.write(`{"id":${id}}\n`);
      // The next request waits for this answer: buffering anywhere would block here.
      expect(await nextLine(child)).toBe(`{"jsonrpc":"2.0","result":{"id":${id}}}\r\n`);
    }
    expect(spooled()).toBe(0);
    child.stdin.end();
    await once(child, 'exit');
  });

  test.each([
    ['Claude', (file: string) => `{ typeset -f; alias; set -o; echo "export PATH=$PATH"; } > ${file}`],
    ['Codex', (file: string) => `{ echo '# snapshot'; export -p; alias; typeset -f; } > ${file}`],
    ['Cursor', (file: string) => `{ declare -p; declare -f; alias; set +o; } > ${file} 2>/dev/null`],
  ])('a snapshot in the manner of %s holds nothing of ours', async (name, script) => {
    const take = async (environment: NodeJS.ProcessEnv, label: string) => {
      const file = join(scratch, `${shell}-${name}-${label}`);
      await runAsAgent([shell, '-c', script(file)], { env: environment });
      return readFileSync(file, 'utf8')
        .split('\n')
        .filter(
          (line) =>
            !/(PID|PIPESTATUS|RANDOM|SECONDS|SRANDOM|EPOCH|TIME|_=|BASH_ENV|ZDOTDIR|BASH_EXECUTION_STRING|ZSH_EXECUTION_STRING|TTYIDLE|LINENO|BASH_ARG|BASH_LINENO)/i.test(
              line,
            ) && !line.includes(label),
        )
        .join('\n');
    };
    const bare: NodeJS.ProcessEnv = { ...env, ZDOTDIR: scratch };
    delete bare['BASH_ENV'];
    const hooked = await take(env, 'run-one');
    expect(hooked).toBe(await take(bare, 'run-two'));
    expect(hooked).not.toMatch(/__cv|caveman_tried|hook\.(bash|zsh)/);
  });

  test.each([
    ['CAVEMAN=off in the environment', { CAVEMAN: 'off' }, 'seq 1 1000'],
    ['CAVEMAN=off in the string', {}, 'CAVEMAN=off; seq 1 1000'],
    ['no marker', 'bare', 'seq 1 1000'],
  ] as const)('%s: untouched', async (_, more, string) => {
    const environment = more === 'bare' ? { ...home.env, CAVEMAN_AGENT: '' } : { ...env, ...more };
    const ran = await runAsAgent([shell, '-c', string], { env: environment });
    expect(ran.out.toString()).toBe(`${Array.from({ length: 1000 }, (_, i) => i + 1).join('\n')}\n`);
  });

  test('weak markers count only without a terminal', async () => {
    const weak = { ...home.env, CAVEMAN_AGENT: '', CLAUDECODE: '1' };
    const onTerminal = await runAsAgent([shell, '-c', 'seq 1 1000'], { env: weak, stdout: 'pty' });
    expect(onTerminal.out.toString()).not.toContain('caveman');
    const onPipe = await runAsAgent([shell, '-c', 'seq 1 1000'], { env: weak, stdout: 'pipe' });
    expect(onPipe.out.toString()).toContain('caveman expand');
  });

  test('an interactive shell of a person: no difference', async () => {
    const session =
      'echo one; false; echo "st=$?"; set | grep -c "^__cv"; typeset -f | grep -ci caveman; trap\nexit 3\n';
    const args = shell === 'bash' ? ['--norc', '-i'] : ['-di'];
    const run = (environment: NodeJS.ProcessEnv) =>
      runAsAgent([shell, ...args], { env: environment, stdin: session, merged: false });
    const bare = await run({ ...bareEnv(), ZDOTDIR: scratch });
    const { CAVEMAN_AGENT: _, ...hooked } = home.env;
    const ran = await run(hooked);
    expect(ran.out.toString()).toBe(bare.out.toString());
    expect(ran.code).toBe(bare.code);
  });

  test('inside a captured command nothing is captured again; the guard ends with its agent', async () => {
    const inner = `${shell} -c 'seq 1 1000' | tail -1; echo "$(${shell} -c 'seq 1 400' | wc -l)"; echo "$CAVEMAN_GUARD" >&2`;
    const outer = await runAsAgent([shell, '-c', inner], { env: home.env, merged: false });
    expect(outer.out.toString().trim().split(/\s+/)).toEqual(['1000', '400']);
    // A server that an earlier agent left behind: its guard names a process that is gone.
    const stale = outer.err.toString().trim();
    const [, start, init] = stale.split(':');
    const later = await runAsAgent([shell, '-c', 'seq 1 1000'], {
      env: { ...home.env, CAVEMAN_GUARD: `999999999:${start}:${init}` },
    });
    expect(later.out.toString()).toContain('caveman expand');
    // Our own pid with another start time is another process.
    const reused = await runAsAgent([shell, '-c', 'seq 1 1000'], {
      env: { ...home.env, CAVEMAN_GUARD: `${process.pid}:1:${init}` },
    });
    expect(reused.out.toString()).toContain('caveman expand');
  });
});

function nextLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const take = (chunk: Buffer) => {
      text += chunk.toString();
      if (!text.endsWith('\n')) return;
      child.stdout!.off('data', take);
      resolve(text);
    };
    child.stdout!.on('data', take);
  });
}
