import { SHORT_BYTES } from '../protocol/literal.ts';
import type { SpoolFile } from './spool-file.ts';

const LF = 10;
const TAB = 9;
const SPACE = 32;
const TILDE = 126;
/** A line that begins so may have the form of a footer, which the engine quotes. */
const BRACKET = 91;

/**
 * Short printable ASCII: whatever else the engine knows, it would show it as it is, so nobody has to wait for it.
 * Bounded work on at most `SHORT_BYTES` bytes.
 */
export function isShortPlain(spool: SpoolFile): boolean {
  if (spool.bytes >= SHORT_BYTES) return false;
  const bytes = spool.start(spool.bytes);
  let before = LF;
  for (const byte of bytes) {
    if (byte !== LF && byte !== TAB && (byte < SPACE || byte > TILDE)) return false;
    if (before === LF && byte === BRACKET) return false;
    before = byte;
  }
  return !bytes.includes('caveman');
}
