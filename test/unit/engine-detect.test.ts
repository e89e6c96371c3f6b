import { expect, test } from 'vitest';
import { Detector, detect } from '../../src/engine/detect.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test.each([
  ['plain text\n', 'text'],
  ['', 'text'],
  ['\x1b[31mred\x1b[0m', 'terminal'],
  ['\x1b]0;title\x07', 'terminal'],
  ['10%\r20%\r30%\rdone\n', 'terminal'],
  ['10%\r20%\rdone\n', 'text'],
  ['a\r\nb\r\nc\r\nd\r\n', 'text'],
  ['a\r\r\nb\r\r\nc\r\r\nd\r\r\n', 'text'],
  ['a lone escape \x1b', 'text'],
])('%j is %s, however it is cut', (text, type) => {
  expect(detect(bytes(text))).toBe(type);
  const detector = new Detector();
  for (const byte of bytes(text)) detector.push(Uint8Array.of(byte));
  expect(detector.type).toBe(type);
});
