// Runs the open cases against the built clone, in a home and with a daemon of their own.
// usage: node test/cases/run.mjs [--report FILE] [Cnn…]     (exit 1 when a check fails)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manual } from './manual.mjs';
import { cases, newestHandle, openPlace, run } from './place.mjs';

/** Cases whose view, status and archive tools/check.mjs scores. */
const scored = ['C01', 'C02', 'C04', 'C06', 'C07', 'C08', 'C10', 'C11', 'C38', 'C47', 'C54', 'C55'];
/** Cases with a scenario of their own. */
const driven = ['C42', 'C44', 'C45', 'C49', 'C53'];

const args = process.argv.slice(2);
const at = args.indexOf('--report');
const report = at < 0 ? '' : args.splice(at, 2)[1];
const wanted = args.length > 0 ? args : [...new Set([...scored, ...driven])].sort();

/**
 * Lines of tools/check.mjs: `ok`, `FAIL`, `weak` (never fails), `skip` (fails unless it is a manual one).
 * A short view has no footer and so no handle in it: then the archived bytes are those of the newest capture.
 */
function score(place, id) {
  const check = [process.execPath, join(cases, 'tools/check.mjs'), id];
  let done = run(place, check);
  if (/^skip .*no archived bytes$/m.test(done.out.toString('utf8'))) {
    done = run(place, [...check, ...savedRun(place, id)]);
  }
  const rows = [];
  for (const line of done.out.toString('utf8').split('\n')) {
    const [, word, text] = /^(ok|FAIL|weak|skip)\s+(.*)$/.exec(line) ?? [];
    if (word === 'weak') console.log(`weak ${id} ${text}`);
    else if (word && !(word === 'skip' && /- manual$/.test(text))) rows.push([text, word === 'ok', '']);
  }
  if (rows.length === 0) rows.push(['scored', false, done.err.toString('utf8')]);
  return rows;
}

/** Runs the case as tools/check.mjs does, and gives that tool's options for the saved view, status and archive. */
function savedRun(place, id) {
  const dir = join(cases, id);
  const text = readFileSync(join(dir, 'cmd.sh'), 'utf8');
  const command = existsSync(join(dir, 'mode.string')) ? ['bash', '-c', text] : ['bash', 'cmd.sh'];
  const merged = ['bash', '-c', 'exec 2>&1; exec "$@"', '_', 'caveman', 'run', '--', ...command];
  const { out, code } = run(place, merged, { cwd: dir });
  const view = join(place.dir, 'view');
  const archived = join(place.dir, 'archived');
  writeFileSync(view, out);
  writeFileSync(archived, run(place, ['caveman', 'expand', newestHandle(place)]).out);
  return ['--view', view, '--exit', String(code), '--archived', archived];
}

/** Lines of a driver: `PASS …`, `FAIL …`; `SKIP …` means that it was not told something, and fails. */
function drive(place, id) {
  const done = run(place, ['bash', join(cases, id, 'driver.sh')]);
  const lines = done.out.toString('utf8').split('\n');
  const rows = lines
    .filter((line) => /^(PASS|FAIL|SKIP)/.test(line))
    .map((line) => [line.slice(5), line.startsWith('PASS'), '']);
  if (rows.length === 0 || (done.code !== 0 && rows.every((row) => row[1]))) {
    rows.push(['driver ends with 0', false, `exit ${done.code} ${done.err}`]);
  }
  return rows;
}

async function rowsOf(place, id) {
  const kinds = [
    [scored, score],
    [driven, drive],
    [Object.keys(manual), manual[id]],
  ];
  const rows = [];
  for (const [ids, check] of kinds) {
    if (!ids.includes(id)) continue;
    try {
      rows.push(...(await check(place, id)));
    } catch (error) {
      rows.push(['could be run', false, String(error)]);
    }
  }
  return rows;
}

if (!existsSync(cases)) {
  console.error(`no cases at ${cases}`);
  process.exit(2);
}
const checks = [];
const place = openPlace();
try {
  for (const id of wanted) {
    for (const [what, ok, detail] of await rowsOf(place, id)) {
      checks.push({ id, what, ok });
      console.log(`${ok ? 'ok  ' : 'FAIL'} ${id} ${what}${detail ? ` (${detail.trim()})` : ''}`);
    }
  }
} finally {
  place.close();
}
if (report) writeFileSync(report, JSON.stringify({ checks }));
const failed = checks.filter((check) => !check.ok).length;
console.log(`cases: ${checks.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
