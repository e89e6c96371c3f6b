import { describe, expect, test } from 'vitest';
import { ReportReader } from '../../src/daemon/hook-report.ts';

const read = (text: string) => new ReportReader().push(Buffer.from(text));

describe('the report of the end', () => {
  test.each([
    ['\nEXIT 0\n', { status: 0, bySignal: false }],
    ['\nEXIT 137\n', { status: 137, bySignal: false }],
    ['bash: line 1: 77 Killed   ( trap - TERM )\n\nEXIT 137\n', { status: 137, bySignal: true }],
    // Words of the shell about something else make no signal of a plain status.
    ['some warning\n\nEXIT 3\n', { status: 3, bySignal: false }],
  ])('%j', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each(['', '\nEXIT 3', '\nEXIT x\n', '\nEXIT -1\n', '\nEXIT 256\n', 'EXIT 3\n'])(
    '%j is none',
    (text) => {
      expect(read(text)).toBeNull();
    },
  );

  test('may come in pieces, behind any amount of noise', () => {
    const reader = new ReportReader();
    expect(reader.push(Buffer.alloc(200_000, 'n'))).toBeNull();
    expect(reader.push(Buffer.from('\nEXI'))).toBeNull();
    expect(reader.push(Buffer.from('T 143\n'))).toEqual({ status: 143, bySignal: true });
  });
});
