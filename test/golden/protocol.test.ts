import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame } from '../../src/protocol/frames.ts';
import { hello, parseClientMessage, parseServerMessage } from '../../src/protocol/messages.ts';
import { PROTOCOL_VERSION, SUBPROTOCOL } from '../../src/protocol/version.ts';

// The bytes and texts of docs/protocol.md. A change here breaks peers of another build: raise PROTOCOL_VERSION.
const FRAMES = [
  { hex: '0000000100', id: 1, last: false, payload: '' },
  { hex: '0000000101', id: 1, last: true, payload: '' },
  { hex: '000000020061626320c3a90a', id: 2, last: false, payload: '616263' + '20c3a90a' },
  { hex: 'ffffffff0100ff', id: 0xffff_ffff, last: true, payload: '00ff' },
];

const CLIENT = [
  '{"type":"hello","version":1,"build":"0.1.0","capabilities":["list"]}',
  '{"type":"list","id":1,"params":{"limit":5}}',
  '{"type":"expand","id":2,"params":{"handle":"cv7k3m2q4p","select":{"lines":[10,20]}}}',
  '{"type":"put","id":3,"params":{"command":"make","exit":2}}',
  '{"type":"credit","id":2,"bytes":1048576}',
  '{"type":"cancel","id":2}',
];

const SERVER = [
  '{"type":"hello","version":1,"build":"0.1.0","capabilities":["list"]}',
  '{"type":"result","id":1,"result":{"captures":[]}}',
  '{"type":"credit","id":3,"bytes":1048576}',
  '{"type":"error","id":2,"error":{"code":"unknown-handle","message":"m","suggestions":["cv7k3m2q4p"]}}',
];

describe('the wire', () => {
  it.each(FRAMES)('frame $hex', ({ hex, id, last, payload }) => {
    const bytes = Uint8Array.from(Buffer.from(hex, 'hex'));
    expect(Buffer.from(encodeFrame({ id, last, payload: Buffer.from(payload, 'hex') })).toString('hex')).toBe(
      hex,
    );
    const frame = decodeFrame(bytes);
    expect([frame.id, frame.last, Buffer.from(frame.payload).toString('hex')]).toEqual([id, last, payload]);
  });

  it.each(CLIENT)('from a client: %s', (text) => {
    expect(JSON.stringify(parseClientMessage(text))).toBe(text);
  });

  it.each(SERVER)('from the daemon: %s', (text) => {
    expect(JSON.stringify(parseServerMessage(text))).toBe(text);
  });

  it('is version 1 of caveman.v1, and knows these requests', () => {
    expect([SUBPROTOCOL, PROTOCOL_VERSION]).toEqual(['caveman.v1', 1]);
    expect(hello().capabilities).toEqual([
      'list',
      'show',
      'expand',
      'put',
      'pin',
      'forget',
      'gc',
      'status',
      'stop',
    ]);
  });
});
