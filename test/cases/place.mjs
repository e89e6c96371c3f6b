// A place to run cases in: a caveman of its own (home, daemon, PATH), and what starts programs there.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
export const cases = process.env.CAVEMAN_CASES ?? join(root, '../shared/cases');

/** Variables by which agents, shells and callers would change what a case sees. */
const foreign =
  /^(CLAUDE|CODEX|GEMINI|OPENCODE|CURSOR|GOOSE|CLINE|ROO|COPILOT|QWEN|AGENT$|AI_AGENT|CAVEMAN|CAVE_|BASH_ENV|ENV$|ZDOTDIR|TOKENIZER_DIR|XDG_)/;

/** Opens a place with a running daemon. `close()` stops it and removes every file. */
export function openPlace() {
  const dir = mkdtempSync(join(tmpdir(), 'cvc-'));
  // Others may come in here, so that what keeps them out of the home is the home's own mode.
  chmodSync(dir, 0o755);
  for (const name of ['bin', 'user', 'zsh', 'tmp']) mkdirSync(join(dir, name));
  symlinkSync(join(root, 'shell/caveman'), join(dir, 'bin/caveman'));
  writeFileSync(join(dir, 'zsh/.zshenv'), `. ${root}/shell/env.zsh\n`);
  const home = join(dir, 'home');
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
  Object.assign(env, {
    PATH: `${dir}/bin:${process.env.PATH}`,
    HOME: `${dir}/user`,
    TMPDIR: `${dir}/tmp`,
    CAVEMAN_HOME: home,
    CAVE_RUN: 'caveman run --',
    CAVE_EXPAND: 'caveman expand',
    CAVE_HANDLE_RE: '\\b(cv[0-9a-z]{8,})\\b',
    CAVE_HOME: home,
    CAVE_SOCK: `${home}/run/caveman.sock`,
  });
  const place = { dir, home, env, socket: env.CAVE_SOCK };
  daemon(place, 'start');
  place.close = () => {
    spawnSync('caveman', ['daemon', 'stop'], { env });
    rmSync(dir, { recursive: true, force: true });
  };
  return place;
}

/** `caveman daemon VERB`; throws with its message when it does not work. */
export function daemon(place, verb) {
  const done = spawnSync('caveman', ['daemon', verb], { env: place.env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`caveman daemon ${verb}: exit ${done.status} ${done.stderr}`);
}

/** Runs argv to its end: `{code, out, err, ms}` with out and err as Buffers, ms the wall time. */
export function run(place, argv, { cwd = place.dir, env = {}, input = '' } = {}) {
  const from = performance.now();
  const done = spawnSync(argv[0], argv.slice(1), {
    cwd,
    env: { ...place.env, ...env },
    input,
    maxBuffer: 2 ** 29,
    timeout: 180_000,
  });
  if (done.error) throw done.error;
  return { code: done.status, out: done.stdout, err: done.stderr, ms: performance.now() - from };
}

/** The same without blocking the event loop: for checks that play a server meanwhile. */
export function runBeside(place, argv, env) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), { cwd: place.dir, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const parts = [];
    child.stdout.on('data', (part) => parts.push(part));
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, out: Buffer.concat(parts) }));
  });
}

/** What an agent's environment adds: its mark, and the hooks of both shells. */
export function agentEnv(place) {
  return { CAVEMAN_AGENT: '1', BASH_ENV: `${root}/shell/env.bash`, ZDOTDIR: `${place.dir}/zsh` };
}

/** Last handle in a view: earlier ones may be forged by the command. */
export function lastHandle(text) {
  return [...text.toString('utf8').matchAll(/\b(cv[0-9a-z]{8,})\b/g)].at(-1)?.[1] ?? '';
}

/** Rows of `caveman list`, newest first. */
export function captures(place) {
  const done = run(place, ['caveman', 'list', '--limit', '10000', '--json']);
  if (done.code !== 0) throw new Error(`caveman list: exit ${done.code} ${done.err}`);
  return JSON.parse(done.out.toString('utf8'));
}

export function newestHandle(place) {
  return captures(place)[0]?.handle ?? '';
}

/** Peak resident memory in KiB of this place's daemon and worker together, since they started. */
export function peakResident(place) {
  let sum = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      if (!/\/dist\/(daemon|worker)\.js/.test(command)) continue;
      if (!environment.split('\0').includes(`CAVEMAN_HOME=${place.home}`)) continue;
      sum += Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    } catch {} // the process ended meanwhile
  }
  return sum;
}
