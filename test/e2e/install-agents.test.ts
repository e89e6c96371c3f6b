import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { plainEnvironment, ran, root, withDirectory } from '../helpers/start-up-files.ts';

const bashEnv = '/opt/caveman/shell/env.bash';
const running: ChildProcess[] = [];

afterEach(async () => {
  for (const child of running.splice(0)) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
});

/** Starts a program that says one line and then waits for its stdin to end. */
async function start(argv: string[], env: Record<string, string> = {}): Promise<number> {
  const child = spawn(argv[0]!, argv.slice(1), {
    env: plainEnvironment('/', env),
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  running.push(child);
  await once(child.stdout!, 'data');
  return child.pid!;
}

function stale(): string[] {
  const script = `. '${root}/shell/agents.sh'; agents_stale "$(id -u)" '${bashEnv}'`;
  const answer = ran(['sh', '-euc', script], plainEnvironment('/'));
  expect(answer).toMatchObject({ status: 0, stderr: '' });
  return answer.stdout.split('\n');
}

it('names running agents, native and interpreted, unless they were started with the hook', () =>
  withDirectory(async (dir) => {
    const talk = 'process.stdout.write("up\\n"); process.stdin.resume();\n';
    const native = join(dir, 'claude');
    copyFileSync('/bin/cat', native);
    const script = join(dir, 'gemini.js');
    writeFileSync(script, talk);
    const other = join(dir, 'gemini-report.js');
    writeFileSync(other, talk);

    const one = spawn(native, [], { env: plainEnvironment('/'), stdio: ['pipe', 'pipe', 'ignore'] });
    running.push(one);
    one.stdin.write('up\n');
    await once(one.stdout, 'data');
    const two = await start([process.execPath, '--no-warnings', script]);
    const hooked = await start([process.execPath, script], { BASH_ENV: bashEnv });
    const stranger = await start([process.execPath, other, 'gemini']);

    const lines = stale();
    expect(lines).toContain(`claude (pid ${one.pid})`);
    expect(lines).toContain(`gemini (pid ${two})`);
    for (const pid of [hooked, stranger]) expect(lines.join()).not.toContain(`(pid ${pid})`);
  }));
