// Checks every shell file: shellcheck and shfmt for sh and bash, `zsh -n` for zsh.
// A missing tool fails under CI; elsewhere it is named and left out.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const inShell = readdirSync(join(root, 'shell')).map((name) => `shell/${name}`);
const inCases = readdirSync(join(root, 'test/cases')).map((name) => `test/cases/${name}`);
const posixAndBash = [
  'install.sh',
  '.ci/run',
  'shell/caveman',
  ...[...inShell, ...inCases].filter((name) => /\.(sh|bash)$/.test(name)),
].filter((name) => existsSync(join(root, name)));
const zsh = inShell.filter((name) => name.endsWith('.zsh'));

const checks = [
  ['shellcheck', posixAndBash],
  ['shfmt', ['-d', ...posixAndBash]],
  ...zsh.map((name) => ['zsh', ['-fn', name]]),
];

let failed = 0;
const missing = new Set();
for (const [program, args] of checks) {
  const done = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (done.error?.code === 'ENOENT') missing.add(program);
  else if (done.error || done.status !== 0) {
    console.error(`check-shell: ${program} is not content (${done.error?.message ?? `exit ${done.status}`})`);
    failed++;
  }
}
if (missing.size > 0) console.error(`check-shell: left out, not installed: ${[...missing].join(', ')}`);
if (missing.size > 0 && process.env.CI) failed++;
process.exit(failed === 0 ? 0 : 1);
