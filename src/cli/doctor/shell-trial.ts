import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../../client/connect.ts';
import { probe } from '../../client/probe.ts';
import { scrubbedEnv } from '../../protocol/markers.ts';
import { productRoot } from '../../runtime/paths.ts';
import { countTokens } from '../../runtime/tokens/count.ts';
import { failureOf } from '../render/errors.ts';
import { count } from '../render/units.ts';
import { bad, type Check, type Finding, ok } from './check.ts';

export interface Shell {
  name: 'bash' | 'zsh';
  /** Oldest version that the hook supports. */
  atLeast: readonly [number, number];
}
export const SHELLS: readonly Shell[] = [
  { name: 'bash', atLeast: [4, 4] },
  { name: 'zsh', atLeast: [5, 8] },
];

/** A build as agents see them: much that says the same, one error, a status that is not 0. */
const EXIT = 3;
const COMMAND = `i=0; while [ $i -lt 120 ]; do i=$((i+1)); echo "compiled src/routes/route_$i.tsx in 12ms"; done; echo "ERROR src/routes/route_23.tsx:14:7: value is undefined"; exit ${EXIT}`;
const HANDLE = /caveman['"]? expand (cv[0-9a-z]{8,})/;
const TIMEOUT_MS = 10_000;

/** Runs a real command as an agent would, through the shell's hook, and takes its original back. */
export function shellCheck(shell: Shell): Check {
  return {
    name: shell.name,
    async run(): Promise<Finding> {
      const version = await versionOf(shell.name);
      if (version === null) return { state: 'skip', detail: 'not on this machine', cure: '' };
      const [major = 0, minor = 0] = version.split('.').map(Number);
      const [needMajor, needMinor] = shell.atLeast;
      if (major < needMajor || (major === needMajor && minor < needMinor)) {
        const need = shell.atLeast.join('.');
        return bad(
          `${version}: its hook does nothing before ${need}`,
          `install ${shell.name} ${need} or newer`,
        );
      }
      if ((await probe()).state !== 'up')
        return { state: 'skip', detail: `${version}: needs the daemon`, cure: '' };
      return await trial(shell.name, version).catch((error: unknown) =>
        bad(`${version}: ${failureOf(error).message}`, 'caveman daemon restart'),
      );
    },
  };
}

async function trial(shell: Shell['name'], version: string): Promise<Finding> {
  const home = await mkdtemp(join(tmpdir(), 'caveman-doctor-'));
  try {
    const hook = join(productRoot(), 'shell', `env.${shell}`);
    await writeFile(join(home, '.zshenv'), `. ${quoted(hook)}\n`);
    const env = { ...scrubbedEnv(process.env), CAVEMAN_AGENT: '1', BASH_ENV: hook, ZDOTDIR: home };
    const bare = await output(shell, { ...env, CAVEMAN: 'off' });
    const hooked = await output(shell, { ...env, CAVEMAN: '' });
    return await judge(version, bare, hooked);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

interface Output {
  exit: number | null;
  bytes: Buffer;
}

async function judge(version: string, bare: Output, hooked: Output): Promise<Finding> {
  if (hooked.exit !== EXIT) {
    return bad(`${version}: a command's exit ${EXIT} became ${hooked.exit}`, 'set CAVEMAN=off and report it');
  }
  const text = hooked.bytes.toString('utf8');
  const handle = HANDLE.exec(text)?.[1];
  if (!handle) return bad(`${version}: a command went through the hook uncaptured`, 'caveman daemon restart');
  const original = await expanded(handle);
  if (sha256(original) !== sha256(bare.bytes)) {
    return bad(`${version}: ${handle} is not byte for byte what the command printed`, 'caveman daemon logs');
  }
  const before = { lines: lines(bare.bytes.toString('utf8')), ...(await countTokens(bare.bytes)) };
  const after = { lines: lines(text), ...(await countTokens(text)) };
  const shrunk = `${before.lines} → ${after.lines} lines, ${count(before.tokens)} → ${count(after.tokens)} tokens`;
  return ok(`${version}: ${shrunk}, original: caveman expand ${handle}`, {
    version,
    handle,
    linesBefore: before.lines,
    linesAfter: after.lines,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
  });
}

async function expanded(handle: string): Promise<Buffer> {
  const client = await connect();
  const chunks: Uint8Array[] = [];
  try {
    await client.expand({ handle, select: {} }, (chunk) => void chunks.push(chunk));
  } finally {
    await client.close();
  }
  return Buffer.concat(chunks);
}

function output(shell: string, env: NodeJS.ProcessEnv): Promise<Output> {
  return spawned(shell, ['-c', COMMAND], env);
}

async function versionOf(shell: Shell['name']): Promise<string | null> {
  const variable = shell === 'bash' ? '$BASH_VERSION' : '$ZSH_VERSION';
  try {
    const { bytes } = await spawned(shell, ['-c', `printf %s "${variable}"`], { PATH: process.env['PATH'] });
    return /\d+\.\d+(\.\d+)?/.exec(bytes.toString('utf8'))?.[0] ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function spawned(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Output> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: TIMEOUT_MS });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit) => resolve({ exit, bytes: Buffer.concat(chunks) }));
  });
}

function lines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

function sha256(data: Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function quoted(path: string): string {
  return `'${path.replaceAll("'", "'\\''")}'`;
}
