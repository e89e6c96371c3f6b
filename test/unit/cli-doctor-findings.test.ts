import { describe, expect, it } from 'vitest';
import { archiveFinding, nodeFinding, ptyFinding } from '../../src/cli/doctor/machine.ts';
import { plainPaint } from '../../src/cli/render/paint.ts';
import { renderStatus } from '../../src/cli/render/status.ts';
import type { ResultOf } from '../../src/protocol/requests.ts';

const HEALTHY: ResultOf<'status'> = {
  daemon: {
    pid: 42,
    version: '0.1.0',
    startedAtMs: 0,
    runningCaptures: 0,
    freeTickets: 16,
    ptyPackage: '@lydell/node-pty',
    workerRestarts: 0,
    servedCaptures: 1200,
  },
  workerPid: 43,
  archive: {
    path: '/state/archive',
    captures: 3,
    handles: 2,
    bytes: 2048,
    maxBytes: 1024 ** 3,
    maxAgeDays: 30,
    pinned: 0,
    refused: 0,
    trouble: '',
  },
  tokens: { before: 3880, after: 109, estimated: false },
};

describe('findings', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['20.18.3', 'bad'],
    ['18.99.0', 'bad'],
    ['22.1.0', 'ok'],
  ])('node %s is %s', (version, state) => expect(nodeFinding(version).state).toBe(state));

  it('every problem has a cure, and only problems have one', () => {
    const noPty = { ...HEALTHY, daemon: { ...HEALTHY.daemon, ptyPackage: '' } };
    const full = { ...HEALTHY, archive: { ...HEALTHY.archive, refused: 2 } };
    const broken = { ...HEALTHY, archive: { ...HEALTHY.archive, trouble: 'the database file is damaged' } };
    const findings = [
      ptyFinding(HEALTHY),
      archiveFinding(HEALTHY),
      ptyFinding(noPty),
      archiveFinding(full),
      archiveFinding(broken),
    ];
    expect(findings.map(({ state }) => state)).toEqual(['ok', 'ok', 'warn', 'warn', 'bad']);
    expect(findings.map(({ cure }) => cure !== '')).toEqual([false, false, true, true, true]);
  });
});

describe('renderStatus', () => {
  it('leaves out what is of no interest, and keeps names aligned', () => {
    const text = renderStatus(HEALTHY, 3_600_000, plainPaint);
    expect(text).toContain('up for      1h 00m\n');
    expect(text).toContain('tokens      3,880 → 109 (97 % saved)\n');
    expect(text).not.toMatch(/trouble|refused/);
    const values = text
      .trimEnd()
      .split('\n')
      .map((line) => line.slice(0, 12));
    for (const name of values) expect(name).toMatch(/^[a-z ]{10} {2}$/);
  });

  it('names troubles, without letting them steer the terminal', () => {
    const trouble = { ...HEALTHY.archive, trouble: 'bad \x1b[2J file', refused: 1 };
    const text = renderStatus(
      { ...HEALTHY, archive: trouble, tokens: { before: 9, after: 9, estimated: true } },
      0,
      plainPaint,
    );
    expect(text).toContain('bad \\x1b[2J file');
    expect(text).toContain('1 capture for want of room');
    expect(text).toContain('~9 → ~9\n');
  });
});
