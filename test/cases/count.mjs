// Prints `PASSED FAILED` of one results file: vitest's JSON report, or what run.mjs writes.
// A skipped test counts as failed (CI has every tool), as does a test file that did not load, or no report at all.
import { readFileSync } from 'node:fs';

function counts(path) {
  let report;
  try {
    report = JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return [0, 1];
  }
  if (Array.isArray(report.checks)) {
    const passed = report.checks.filter((check) => check.ok).length;
    return [passed, report.checks.length - passed];
  }
  const unloaded = report.testResults.filter((f) => f.status === 'failed' && f.assertionResults.length === 0);
  const bad = report.numFailedTests + report.numPendingTests + report.numTodoTests + unloaded.length;
  return [report.numPassedTests, bad === 0 && !report.success ? 1 : bad];
}

console.log(counts(process.argv[2]).join(' '));
