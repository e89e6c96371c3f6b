import { describe, expect, it } from 'vitest';
import {
  hello,
  parseClientMessage,
  parseServerMessage,
  UnreadableMessage,
} from '../../src/protocol/messages.ts';

function failure(read: () => unknown): UnreadableMessage {
  try {
    read();
  } catch (error) {
    if (error instanceof UnreadableMessage) return error;
  }
  throw new Error('the message was read');
}

describe('client messages', () => {
  it('reads every kind', () => {
    const messages = [
      hello(),
      { type: 'credit', id: 1, bytes: 65536 },
      { type: 'cancel', id: 0xffff_ffff },
      { type: 'list', id: 2, params: { limit: 5, session: 's' } },
      { type: 'show', id: 3, params: { handle: 'cv7k3m2q4p' } },
      {
        type: 'expand',
        id: 4,
        params: { handle: 'cv7k3m2q4p', select: { lines: [1, 2], stream: 'stderr' } },
      },
      { type: 'put', id: 5, params: { command: 'make', exit: null } },
      { type: 'pin', id: 6, params: { handle: 'cv7', pinned: false } },
      { type: 'forget', id: 7, params: { handle: 'cv7' } },
      { type: 'gc', id: 8, params: {} },
      { type: 'status', id: 9, params: {} },
      { type: 'stop', id: 10, params: {} },
    ];
    for (const message of messages) expect(parseClientMessage(JSON.stringify(message))).toEqual(message);
  });

  it('names the field that is wrong, and the request it belongs to', () => {
    const bad = failure(() =>
      parseClientMessage('{"type":"expand","id":9,"params":{"handle":"cv1","select":{"head":-1}}}'),
    );
    expect(bad.id).toBe(9);
    expect(bad.code).toBe('bad-request');
    expect(bad.message).toContain('params.select.head');
    expect(bad.message).not.toContain('\n');
  });

  it('refuses params it does not know, ids out of range and text that is no JSON', () => {
    expect(failure(() => parseClientMessage('{"type":"gc","id":1,"params":{"all":true}}')).code).toBe(
      'bad-request',
    );
    expect(failure(() => parseClientMessage('{"type":"gc","id":0,"params":{}}')).id).toBe(0);
    expect(failure(() => parseClientMessage('{"type":"gc","id":4294967296,"params":{}}')).id).toBe(0);
    expect(failure(() => parseClientMessage('{')).code).toBe('bad-request');
    expect(failure(() => parseClientMessage('null')).code).toBe('bad-request');
    expect(failure(() => parseClientMessage('[]')).code).toBe('bad-request');
  });

  it('tells a newer client to restart the daemon', () => {
    const unknown = failure(() => parseClientMessage('{"type":"teleport","id":3,"params":{}}'));
    expect(unknown.code).toBe('version-mismatch');
    expect(unknown.message).toContain('caveman daemon restart');
    expect(unknown.id).toBe(3);
  });

  it('takes a hello with fields of a later build', () => {
    const later = { ...hello(), build: '9.9.9', color: true };
    expect(parseClientMessage(JSON.stringify(later)).type).toBe('hello');
  });
});

describe('server messages', () => {
  it('reads results and errors, and refuses an error code outside the closed set', () => {
    const error = (code: string) =>
      JSON.stringify({ type: 'error', id: 0, error: { code, message: 'm', suggestions: [] } });
    expect(parseServerMessage('{"type":"result","id":1,"result":{"a":1}}').type).toBe('result');
    expect(parseServerMessage(error('busy')).type).toBe('error');
    expect(failure(() => parseServerMessage(error('nonsense'))).code).toBe('bad-request');
  });
});
