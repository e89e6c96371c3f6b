import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerLine,
  inlineText,
  MAX_REQUEST_BYTES,
  type ReadOutcome,
  RequestReader,
  refusalLine,
} from '../../src/protocol/rendezvous.ts';

const FIELDS = ['npm test', '8', '', '/srv', 'CODEX_CI', '12:34:5', 'mp'];
const runRequest = (fields: string[] = FIELDS, head = `CV1 12.34 run ${fields.length}`) =>
  Buffer.from(`${head}\n${fields.map((field) => `${field}\0`).join('')}`);

function read(...chunks: Uint8Array[]): ReadOutcome {
  const reader = new RequestReader();
  let outcome: ReadOutcome = { state: 'more' };
  for (const chunk of chunks) {
    outcome = reader.push(chunk);
    if (outcome.state !== 'more') return outcome;
  }
  return outcome;
}

describe('a request', () => {
  test('is read field by field', () => {
    const outcome = read(runRequest());
    expect(outcome).toMatchObject({
      state: 'request',
      request: {
        verb: 'run',
        nonce: '12.34',
        run: {
          command: 'npm test',
          commandLength: 8,
          cwd: '/srv',
          merged: true,
          onPath: true,
          raw: false,
          mode: '',
        },
      },
    });
  });

  test('is the same however it is cut, and what follows it is handed on', () => {
    const bytes = Buffer.concat([runRequest(), Buffer.from('\nEXIT 3\n')]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: runRequest().length }), (at) => {
        const outcome = read(bytes.subarray(0, at), bytes.subarray(at));
        expect(outcome.state).toBe('request');
        if (outcome.state === 'request')
          expect(Buffer.from(outcome.rest).toString()).toBe(at === runRequest().length ? '' : '\nEXIT 3\n');
      }),
    );
  });

  test.each([
    ['another version', runRequest(FIELDS, 'CV2 12.34 run 7'), ''],
    ['garbage without a line end', Buffer.alloc(300, 'x'), ''],
    ['a nonce that could forge a line', runRequest(FIELDS, 'CV1 a\tb run 7'), ''],
    ['an unknown verb', runRequest(FIELDS, 'CV1 12.34 format 7'), '12.34'],
    ['a wrong count of fields', runRequest(FIELDS.slice(1), 'CV1 12.34 run 6'), '12.34'],
    ['a count that is no number', runRequest(FIELDS, 'CV1 12.34 run x'), '12.34'],
    ['a length that is no number', runRequest(['a', 'b', '', '', '', '', '']), '12.34'],
    [
      'more than fits a FIFO',
      Buffer.concat([Buffer.from('CV1 12.34 run 7\n'), Buffer.alloc(MAX_REQUEST_BYTES, 'x')]),
      '12.34',
    ],
  ])('%s is refused', (_, bytes, nonce) => {
    expect(read(bytes)).toEqual({ state: 'bad', nonce });
  });

  test('half of one waits for the rest', () => {
    expect(read(runRequest().subarray(0, 20)).state).toBe('more');
  });

  test('never throws, whatever comes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        (bytes) => void read(Buffer.concat([Buffer.from('CV1 1 run 7\n'), bytes])),
      ),
    );
  });
});

test('the answer is one line that repeats the nonce', () => {
  const to = { id: 'ab', base: 'Xy', pts: '-', proc: '-', spool: '/a b/c' };
  expect(answerLine('1.2', to)).toBe('1.2 ab Xy - - /a b/c\n');
  expect(refusalLine('1.2')).toBe('1.2 -\n');
});

describe('inline text', () => {
  test('carries its length in bytes', () => {
    expect(Buffer.from(inlineText('T', Buffer.from('é\n'))!).toString()).toBe('T 3\né\n');
  });
  test('is not for NUL or long texts', () => {
    expect(inlineText('U', Buffer.from('a\0b'))).toBeNull();
    expect(inlineText('T', Buffer.alloc(40_000, 'x'))).toBeNull();
  });
});
