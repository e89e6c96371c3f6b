import { spawn } from 'node:child_process';

/**
 * Puts slaves into raw mode, without which every LF comes out as CR LF. One shell for a whole batch: Node's own
 * `setRawMode` keeps that translation on. Redirection instead of `stty -F`, which BSD spells otherwise. The shell
 * leads no session here, so that opening a terminal cannot make it the controlling one.
 * Resolves with the exit status: 0 when all went well.
 */
export function setRaw(slavePaths: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const script = 'for p do stty raw -echo <"$p" || exit 1; done';
    const child = spawn('/bin/sh', ['-c', script, 'sh', ...slavePaths], { stdio: 'ignore', cwd: '/' });
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });
}
