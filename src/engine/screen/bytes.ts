/** Byte values that the screen model names. */
export const BEL = 0x07;
export const BS = 0x08;
export const TAB = 0x09;
export const LF = 0x0a;
export const VT = 0x0b;
export const FF = 0x0c;
export const CR = 0x0d;
export const SO = 0x0e;
export const SI = 0x0f;
export const CAN = 0x18;
export const SUB = 0x1a;
export const ESC = 0x1b;
export const SPACE = 0x20;
export const DEL = 0x7f;

/** 1 for bytes that need a decision (controls but TAB, DEL, everything above ASCII), 0 for plain text. */
export const SPECIAL: Uint8Array = Uint8Array.from({ length: 256 }, (_, b) =>
  (b < SPACE && b !== TAB) || b >= DEL ? 1 : 0,
);

/** True for ASCII letters and digits. */
export function isAlphanumeric(b: number): boolean {
  return isLetter(b) || (b >= 0x30 && b <= 0x39);
}

/** True for ASCII letters. */
function isLetter(b: number): boolean {
  const folded = b | 0x20;
  return folded >= 0x61 && folded <= 0x7a;
}

/** True when bytes[start,end) hold nothing but spaces and tabs. */
export function isBlank(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const b = bytes[i]!;
    if (b !== SPACE && b !== TAB) return false;
  }
  return true;
}
