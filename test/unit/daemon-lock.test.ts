import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DaemonLock } from '../../src/daemon/lock.ts';

function lockPath(): string {
  const dir = mkdtempSync('/tmp/cvl-');
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return join(dir, 'daemon.lock');
}

test('is taken once, kept, and given back', () => {
  const path = lockPath();
  const lock = new DaemonLock(path);
  expect(lock.take()).toBeNull();
  expect(new DaemonLock(path).take()).toMatchObject({ pid: process.pid });
  expect(lock.keep()).toBe(true);
  lock.release();
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

test.each([
  ['a process that is gone', '{"pid":999999999,"start":"1"}'],
  ['a pid that another process has now', JSON.stringify({ pid: process.ppid, start: '1' })],
  ['garbage', 'not a lock'],
  ['nothing', ''],
])('a lock of %s is stale', (_, content) => {
  const path = lockPath();
  writeFileSync(path, content);
  expect(new DaemonLock(path).take()).toBeNull();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ pid: process.pid });
});

test('a lock that somebody else took over is not kept, and not removed', () => {
  const path = lockPath();
  const lock = new DaemonLock(path);
  lock.take();
  writeFileSync(path, JSON.stringify({ pid: process.ppid, start: '' }));
  expect(lock.keep()).toBe(false);
  lock.release();
  expect(readFileSync(path, 'utf8')).toContain(String(process.ppid));
});

test('a lock file that was deleted is taken again', () => {
  const path = lockPath();
  const lock = new DaemonLock(path);
  lock.take();
  rmSync(path);
  expect(lock.keep()).toBe(true);
  expect(readFileSync(path, 'utf8')).toContain(String(process.pid));
});
