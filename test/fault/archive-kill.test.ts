import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openArchive } from '../../src/archive/open.ts';
import { LIMITS, noise, ownDirectory, readAll, store } from '../unit/archive-fixture.ts';

let bundles: string;

beforeAll(async () => {
  // Beside the tests, so that the bundle finds the native package.
  bundles = mkdtempSync(fileURLToPath(new URL('.archive-kill-', import.meta.url)));
  await build({
    entryPoints: [fileURLToPath(new URL('archive-writing-child.ts', import.meta.url))],
    outfile: join(bundles, 'child.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['lmdb'],
  });
});
afterAll(() => rmSync(bundles, { recursive: true, force: true }));

function writingChild(dir: string, first: number, count: number): ChildProcess {
  const child = spawn(process.execPath, [join(bundles, 'child.mjs'), dir, String(first), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

/** Expects every handle that was printed to give its own bytes. */
function expectAll(dir: string, lines: string[]): void {
  const archive = openArchive(dir, LIMITS, Date.now);
  onTestFinished(() => archive.close());
  for (const line of lines) {
    const [handle, seed] = line.split(' ');
    const bytes = noise(Number(seed) % 4 === 0 ? 3_000_000 : 5000, Number(seed));
    expect(readAll(archive, handle!).equals(bytes)).toBe(true);
  }
}

describe('a process that is killed while it archives', () => {
  it.each([3, 6, 9, 20])('keeps every sealed capture: kill -9 after %i', async (sealed) => {
    const dir = ownDirectory();
    const child = writingChild(dir, 1, 10_000);
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout! })) {
      lines.push(line);
      if (lines.length === sealed) child.kill('SIGKILL');
    }
    expect(lines.length).toBeGreaterThanOrEqual(sealed);
    expectAll(dir, lines);
  });

  it('leaves no chunk of its unfinished capture behind once the archive is opened again', async () => {
    const dir = ownDirectory();
    const child = writingChild(dir, 1, 10_000);
    let lines = 0;
    for await (const line of createInterface({ input: child.stdout! })) {
      if (line !== '' && ++lines === 7) child.kill('SIGKILL');
    }
    const archive = openArchive(dir, LIMITS, Date.now);
    onTestFinished(() => archive.close());
    await archive.gc(Date.now());
    for (const { handle } of archive.list({ limit: 10_000 })) {
      await archive.forget(handle).catch((error) => expect(error.code).toBe('forgotten-handle'));
    }
    expect(archive.status()).toMatchObject({ captures: 0, handles: 0 });
    expect(archive.status().bytes).toBeLessThan(200_000);
  });
});

describe('two processes that archive at once', () => {
  it('lose nothing of each other', async () => {
    const dir = ownDirectory();
    // The same seeds in both: they share and count the same chunks.
    const children = [writingChild(dir, 1, 40), writingChild(dir, 20, 40)];
    const lines = await Promise.all(
      children.map(async (child) => {
        const got: string[] = [];
        const exit = once(child, 'exit');
        for await (const line of createInterface({ input: child.stdout! })) got.push(line);
        expect((await exit)[0]).toBe(0);
        return got;
      }),
    );
    expect(lines.map((got) => got.at(-1))).toEqual(['closed', 'closed']);
    expectAll(
      dir,
      lines.flat().filter((line) => line !== 'closed'),
    );
    const archive = openArchive(dir, LIMITS, Date.now);
    onTestFinished(() => archive.close());
    await store(archive, { stdout: 'and goes on' });
  });
});
