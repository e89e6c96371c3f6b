/** Crockford base32, lower case: no i, l, o, u. */
export const HANDLE_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
/** `cv` and this many characters; longer only when the shorter name is taken. */
export const HANDLE_LENGTH = 8;
const HANDLE_MAX = 52;

/** True for a full handle: `cv` + 8 to 52 alphabet characters. */
export function isHandle(text: string): boolean {
  if (!text.startsWith('cv') || text.length < 2 + HANDLE_LENGTH || text.length > 2 + HANDLE_MAX) return false;
  for (const c of text.slice(2)) if (!HANDLE_ALPHABET.includes(c)) return false;
  return true;
}

/** Crockford's reading of what a person may type: case folded, `o`→`0`, `i`/`l`→`1`, surrounding blanks dropped. */
export function normaliseHandle(text: string): string {
  const lower = text.trim().toLowerCase();
  if (!lower.startsWith('cv')) return lower;
  return `cv${lower.slice(2).replaceAll('o', '0').replaceAll('i', '1').replaceAll('l', '1')}`;
}

/** `cv` + the first `length` base32 characters of a digest (5 bits each, most significant first). */
export function handleOf(digest: Uint8Array, length: number = HANDLE_LENGTH): string {
  let out = 'cv';
  for (let i = 0; i < length; i++) {
    const bit = i * 5;
    const pair = ((digest[bit >> 3] ?? 0) << 8) | (digest[(bit >> 3) + 1] ?? 0);
    out += HANDLE_ALPHABET[(pair >> (11 - (bit & 7))) & 31];
  }
  return out;
}
