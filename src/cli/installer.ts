import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { CavemanError } from '../protocol/errors.ts';
import { productRoot } from '../runtime/paths.ts';

/** Runs the product's own `install.sh`, which also undoes what it did; resolves to its exit code. */
export function runInstaller(flags: readonly string[]): Promise<number> {
  const script = join(productRoot(), 'install.sh');
  const child = spawn('/bin/sh', [script, ...flags], { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      reject(new CavemanError('internal', `cannot run ${script}: ${error.message}; run it by hand`));
    });
    child.on('exit', (code, signal) => resolve(signal ? 128 + constants.signals[signal] : (code ?? 125)));
  });
}
