import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../helpers/cli.ts';
import { ROOT } from '../helpers/home.ts';

test('a daemon that a verb starts holds none of the descriptors of the verb’s caller', async () => {
  const home = mkdtempSync('/tmp/cvd-');
  try {
    // Node itself marks low descriptors close-on-exec when it starts; not those behind a hole, where bash puts its own.
    const script = 'exec 63>&3 3>&-; exec "$@"';
    const start = [process.execPath, join(ROOT, 'dist', 'cli.js'), 'daemon', 'start'];
    const child = spawn('bash', ['-c', script, 'bash', ...start], {
      env: { PATH: process.env['PATH'], HOME: home, CAVEMAN_HOME: home },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    // An agent reads until nobody has the other end. One that stays open ends the test by its limit.
    const stream = child.stdio[3] as NodeJS.ReadableStream;
    stream.resume();
    const end = once(stream, 'end');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    await end;
    const status = await runCli(['daemon', 'status'], { home });
    expect(status.exit).toBe(0);
  } finally {
    await runCli(['daemon', 'stop'], { home });
    rmSync(home, { recursive: true, force: true });
  }
});
