import { mkdtempSync, rmSync } from 'node:fs';
import { undone } from './undo.ts';

/** An empty temporary directory for the length of `use`. */
export function withDirectory<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = mkdtempSync('/tmp/cvb-');
  return undone(
    () => rmSync(dir, { recursive: true, force: true }),
    () => use(dir),
  );
}
