import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Test folders that only import sources: a run of these alone needs no build. */
const sourceOnly = /(^|\/)test\/(unit|property|golden)\//;

/** vitest's global set-up: `dist` is what the sources say, once, before any test starts. */
export default function build(): void {
  const asked = process.argv.slice(2).filter((word) => /(^|\/)test\//.test(word));
  if (asked.length > 0 && asked.every((word) => sourceOnly.test(word))) return;
  if (builtAt() > newest(join(root, 'src'), join(root, 'build.mjs'), join(root, 'package.json'))) return;
  const done = spawnSync(process.execPath, ['build.mjs'], { cwd: root, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`the build failed; run: npm run build\n${done.stderr}`);
}

/** When the last build ended, in ms; `node-path` is the last file it writes. 0: there is none. */
function builtAt(): number {
  return statSync(join(root, 'dist/node-path'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function newest(...paths: string[]): number {
  let latest = 0;
  for (const path of paths) {
    const at = statSync(path);
    latest = Math.max(latest, at.mtimeMs);
    if (at.isDirectory())
      latest = Math.max(latest, newest(...readdirSync(path).map((name) => join(path, name))));
  }
  return latest;
}
