import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, startDaemonOf } from '../helpers/cli.ts';

interface Report {
  healthy: boolean;
  checks: { name: string; state: string; detail: string; facts?: Record<string, unknown> }[];
}

let home = '';
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'cave-'));
  await startDaemonOf(home);
});
afterAll(async () => {
  await runCli(['daemon', 'stop'], { home });
  rmSync(home, { recursive: true, force: true });
});

describe('doctor', () => {
  it('runs a real command through each shell and takes the original back', async () => {
    const { exit, stdout } = await runCli(['doctor', '--json'], { home });
    const report = JSON.parse(stdout.toString()) as Report;
    const bad = report.checks.filter((check) => check.state === 'bad');
    expect(bad).toEqual([]);
    expect({ exit, healthy: report.healthy }).toEqual({ exit: 0, healthy: true });
    const bash = report.checks.find((check) => check.name === 'bash');
    expect(bash?.facts).toMatchObject({
      linesBefore: 121,
      handle: expect.stringMatching(/^cv[0-9a-z]{8,}$/),
    });
    expect(Number(bash?.facts?.['tokensAfter'])).toBeLessThan(Number(bash?.facts?.['tokensBefore']) / 4);
    const given = await runCli(['expand', String(bash?.facts?.['handle'])], { home });
    expect(given.stdout.toString()).toContain('compiled src/routes/route_120.tsx in 12ms\nERROR');
  });

  it('says what is wrong and which command cures it', async () => {
    // Nobody can make a directory there.
    const { exit, stdout } = await runCli(['doctor'], { home, env: { CAVEMAN_HOME: '/proc/caveman' } });
    expect(exit).toBe(1);
    expect(stdout.toString()).toMatch(/^bad +daemon .+\n +→ caveman daemon restart/m);
  });
});
