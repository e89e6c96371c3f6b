// Copies what runs (built files, shell files, production packages) into DEST, a directory that does not exist yet.
// usage: node stage.mjs DEST
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const dest = process.argv[2];
if (!dest || existsSync(dest)) {
  console.error('usage: node stage.mjs DEST (a new directory)');
  process.exit(2);
}

/** Sources and other platforms' binaries inside packages: needed to build them, never to run them. */
const foreign = new RegExp(
  `/prebuilds/(?!${process.platform}-)|/obj\\.target(/|$)|/node-pty/(deps|third_party)(/|$)|\\.pdb$`,
);

function copy(name, filter = () => true) {
  mkdirSync(dirname(join(dest, name)), { recursive: true });
  cpSync(join(root, name), join(dest, name), { recursive: true, verbatimSymlinks: true, filter });
}

/** Installed packages that the lock file does not keep for development only. */
function productionPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, entry]) => path && !entry.dev && !entry.devOptional && existsSync(join(root, path)))
    .map(([path]) => path);
}

mkdirSync(dest, { recursive: true, mode: 0o755 });
for (const name of [
  'dist',
  'shell',
  'package.json',
  'package-lock.json',
  'install.sh',
  'LICENSE',
  'README.md',
])
  copy(name);
copy('src/pty/tty-sensitive.txt');
for (const path of productionPackages()) {
  const nested = join(root, path, 'node_modules');
  copy(path, (from) => !from.startsWith(nested) && !foreign.test(from.slice(root.length - 1)));
}
for (const name of ['install.sh', 'shell/caveman']) chmodSync(join(dest, name), 0o755);
