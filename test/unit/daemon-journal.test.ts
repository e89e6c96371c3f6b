import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { orphans, strays, writeJournal } from '../../src/daemon/journal.ts';
import { markOf } from '../../src/runtime/process-mark.ts';
import { someFacts } from '../helpers/worker-process.ts';

function spool(): string {
  const dir = mkdtempSync('/tmp/cvj-');
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

const DEAD = { pid: 2 ** 22 + 1, start: '1' };

test('captures of a dead daemon are orphans, with the streams that are there; those of a live one are not', () => {
  const dir = spool();
  const [dead, live] = [someFacts(), someFacts()];
  writeJournal(dir, DEAD, { ...dead, exit: null });
  writeFileSync(join(dir, `${dead.id}.o`), 'some output\n');
  writeJournal(dir, markOf(process.pid), live);
  writeFileSync(join(dir, `${live.id}.o`), '');
  writeFileSync(join(dir, 'half.json'), '{"owner":');
  const found = orphans(dir);
  expect(found.map(({ facts }) => facts.id)).toEqual([dead.id]);
  expect(found[0]!.facts.flags.killed).toBe(true);
  expect(found[0]!.streams).toEqual([{ name: 'stdout', path: join(dir, `${dead.id}.o`), bytes: 12 }]);
});

test('old files that no journal claims are strays; young and claimed ones are not', () => {
  const dir = spool();
  const facts = someFacts();
  writeJournal(dir, DEAD, facts);
  for (const name of [`${facts.id}.o`, 'aa.o', 'aa.o.late', 'bb.o']) writeFileSync(join(dir, name), '');
  const longAgo = new Date(Date.now() - 10_000);
  for (const name of readdirSync(dir)) if (name !== 'bb.o') utimesSync(join(dir, name), longAgo, longAgo);
  expect(strays(dir, 5000).sort()).toEqual(['aa.o', 'aa.o.late']);
});
