import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { plainEnvironment, ran, root, withDirectory } from '../helpers/start-up-files.ts';

const tests = { numPassedTests: 5, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, success: true };
const file = (status: string, ...assertionResults: object[]) => ({ status, assertionResults });

const reports: [string, unknown, string][] = [
  ['all passed', { ...tests, testResults: [file('passed', {})] }, '5 0'],
  ['a skipped test', { ...tests, numPendingTests: 2, testResults: [file('passed', {})] }, '5 2'],
  ['a file that did not load', { ...tests, success: false, testResults: [file('failed')] }, '5 1'],
  ['an error outside of any test', { ...tests, success: false, testResults: [file('passed', {})] }, '5 1'],
  ['checks of cases', { checks: [{ ok: true }, { ok: false }, { ok: true }] }, '2 1'],
];

it.each(reports)('CI counts %s', (_, report, counts) =>
  withDirectory((dir) => {
    const path = join(dir, 'report.json');
    writeFileSync(path, JSON.stringify(report));
    const answer = ran([process.execPath, join(root, 'test/cases/count.mjs'), path], plainEnvironment(dir));
    expect(answer).toEqual({ status: 0, stdout: `${counts}\n`, stderr: '' });
  }),
);

it('a missing or cut report is one failure', () =>
  withDirectory((dir) => {
    const path = join(dir, 'report.json');
    const count = () =>
      ran([process.execPath, join(root, 'test/cases/count.mjs'), path], plainEnvironment(dir));
    expect(count().stdout).toBe('0 1\n');
    writeFileSync(path, '{"numPassed');
    expect(count().stdout).toBe('0 1\n');
  }));
