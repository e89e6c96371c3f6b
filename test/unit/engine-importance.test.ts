import { expect, test } from 'vitest';
import { ERROR, HINT, importanceOf, PASSING, PLAIN, WARNING } from '../../src/engine/terminal/importance.ts';

const levels = { ERROR, WARNING, HINT, PASSING, PLAIN };
test.each<[keyof typeof levels, string]>([
  ['ERROR', 'ERROR src/a.ts: no'],
  ['ERROR', 'AssertionError: 1 != 2'],
  ['ERROR', 'java.lang.NullPointerException'],
  ['ERROR', '    at Object.<anonymous> (/srv/app/x.js:3:1)'],
  ['ERROR', '  File "x.py", line 3, in f'],
  ['ERROR', 'main_test.go:12: got 3'],
  ['ERROR', 'src/x.c:10:5: use of y'],
  ['ERROR', '  --> src/main.rs:3:5'],
  ['ERROR', 'Caused by: something'],
  ['ERROR', 'exit status 1'],
  ['ERROR', 'process exited with code 137'],
  ['ERROR', 'bash: foo: command not found'],
  ['ERROR', 'open /etc/shadow: Permission denied'],
  ['ERROR', 'ld: undefined reference to `main`'],
  ['ERROR', 'Segmentation fault (core dumped)'],
  ['ERROR', 'src/a.ts(3,1): TS2322: type mismatch'],
  ['ERROR', 'npm ERR! code ERESOLVE'],
  ['ERROR', '✗ renders the page'],
  ['ERROR', 'not ok 3 - sums'],
  ['ERROR', '"GET /x HTTP/1.1" 503 12'],
  ['ERROR', 'pod-1 0/1 CrashLoopBackOff 4'],
  ['ERROR', 'tests: 3 failed, 9 passed'],
  ['ERROR', 'worker 0 failed to start'],
  ['ERROR', 'thread 0 ERROR disk is gone'],
  ['WARNING', 'warning: unused variable'],
  ['WARNING', 'npm WARN deprecated glob@7'],
  ['WARNING', 'src/x.c:10:5: warning: unused'],
  ['HINT', 'retrying in 3s'],
  ['PASSING', 'ok 12 - handles TypeError'],
  ['PASSING', 'tests/a.py::test_raises_ValueError PASSED [ 12%]'],
  ['PASSING', '  ✓ reports an error when it must (3 ms)'],
  ['PLAIN', 'Build finished: 0 errors, 0 warnings'],
  ['PLAIN', 'Tests run: 5, Failures: 0, Errors: 0'],
  ['PLAIN', 'no errors found'],
  ['PLAIN', '5 passed, 0 failed'],
  ['PLAIN', '100% done, 0 tests failed out of 9'],
  ['PLAIN', 'finished without error'],
  ['PLAIN', 'exit status 0'],
  ['PLAIN', '"GET /x HTTP/1.1" 200 404'],
  ['PLAIN', '2026-01-02 12:34:56: started'],
  ['PLAIN', 'terror in the interior'],
])('%s: %s', (level, line) => {
  expect(importanceOf(line).level).toBe(levels[level]);
});

test('counts and statuses are judged line by line', () => {
  for (const line of ['3 errors', 'exit status 1', 'Failures: 0', 'HTTP/1.1 200 OK']) {
    expect(importanceOf(line).perLine).toBe(true);
  }
  expect(importanceOf('ERROR in module 7').perLine).toBe(false);
});
