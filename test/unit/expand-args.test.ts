import { describe, expect, it } from 'vitest';
import { CavemanError } from '../../src/protocol/errors.ts';
import { parseExpandArgs } from '../../src/protocol/expand-args.ts';

describe('expand arguments', () => {
  it('reads each selection, in either spelling and any order', () => {
    expect(parseExpandArgs(['cv7k3m2q4'])).toEqual({
      handle: 'cv7k3m2q4',
      select: {},
      raw: false,
      json: false,
      output: null,
    });
    expect(parseExpandArgs(['--lines', '10:20', 'cv1']).select).toEqual({ lines: [10, 20] });
    expect(parseExpandArgs(['cv1', '--lines=3:3']).select).toEqual({ lines: [3, 3] });
    expect(parseExpandArgs(['cv1', '--head', '0']).select).toEqual({ head: 0 });
    expect(parseExpandArgs(['cv1', '--tail', '7', '--stream', 'late']).select).toEqual({
      tail: 7,
      stream: 'late',
    });
    expect(parseExpandArgs(['cv1', '--grep', '-x', '-C', '2']).select).toEqual({ grep: '-x', context: 2 });
    expect(parseExpandArgs(['cv1', '--gap', '2', '--raw', '-o', 'f']).output).toBe('f');
    expect(parseExpandArgs(['--view', '--json', '--', 'cv1'])).toMatchObject({
      select: { view: true },
      json: true,
    });
  });

  it.each([
    [[], 'which handle'],
    [['cv1', 'cv2'], 'one handle'],
    [['cv1', '--lines', '0:3'], '--lines takes'],
    [['cv1', '--lines', '5:3'], '--lines takes'],
    [['cv1', '--lines', '5'], '--lines takes'],
    [['cv1', '--head', '-1'], '--head takes'],
    [['cv1', '--head'], 'needs a value'],
    [['cv1', '--gap', '0'], '--gap takes'],
    [['cv1', '--stream', 'out'], '--stream takes'],
    [['cv1', '-C', '2'], '-C goes with'],
    [['cv1', '--head', '1', '--grep', 'x'], 'do not go together'],
    [['cv1', '--view=1'], 'takes no value'],
    [['cv1', '--foo'], 'unknown option'],
    [['cv1', '--grep', 'x'.repeat(1001)], 'at most'],
    [['x'.repeat(65)], '1 to 64'],
  ])('refuses %j in one line', (args, message) => {
    expect(() => parseExpandArgs(args)).toThrow(CavemanError);
    expect(() => parseExpandArgs(args)).toThrow(message);
    expect(() => parseExpandArgs(args)).not.toThrow(/\n/);
  });
});
