/** Deterministic inputs: the same bytes on every machine. */

const WORDS = 'core net parse cache index query frame token shard lease batch quota route panel codec'.split(
  ' ',
);

/** A build's log with SGR colours: `lines` lines of some 57 bytes, a warning now and then, one error at the end. */
export function colouredBuildLog(lines: number): Buffer {
  const parts: string[] = [];
  for (let i = 0; i < lines; i++) parts.push(buildLine(i, lines));
  return Buffer.from(parts.join(''));
}

function buildLine(i: number, of: number): string {
  const word = WORDS[i % WORDS.length];
  if (i === of - 3) return `\x1b[31merror\x1b[0m: src/${word}/u${i}.c:12: undeclared symbol\n`;
  if (i % 997 === 0) return `\x1b[33mwarning\x1b[0m: unused value in src/${word}/unit${i}.c\n`;
  return `\x1b[32m[${String(i % 100).padStart(3)}%]\x1b[0m Building C object source/${word}/unit${i % 5000}.o\n`;
}

export function plainLog(lines: number): Buffer {
  return plainLines(0, lines);
}

/** Lines `from` to `from + count` of an endless log. */
export function plainLines(from: number, count: number): Buffer {
  const parts: string[] = [];
  for (let i = from; i < from + count; i++) {
    const second = String(i % 60).padStart(2, '0');
    parts.push(`2026-01-01T00:00:${second} info ${WORDS[i % WORDS.length]} request ${i} done\n`);
  }
  return Buffer.from(parts.join(''));
}

/** One bar redrawn over and over with carriage returns, a line of its own now and then. */
export function progressLog(redraws: number): Buffer {
  const parts: string[] = [];
  for (let i = 0; i < redraws; i++) {
    const share = Math.floor(i / 10) % 101;
    parts.push(`\r${'#'.repeat(share >> 2).padEnd(25, '.')} ${share}% of package ${Math.floor(i / 1010)}`);
    if (i % 1010 === 1009) parts.push('\n');
  }
  return Buffer.from(parts.join(''));
}

/** No line is like another: every word is new. */
export function distinctLines(lines: number): Buffer {
  const parts: string[] = [];
  const next = random();
  for (let i = 0; i < lines; i++) {
    const word = () => Array.from({ length: 7 }, () => String.fromCharCode(97 + (next() % 26))).join('');
    parts.push(`${word()} ${word()} ${word()} ${word()} ${word()}\n`);
  }
  return Buffer.from(parts.join(''));
}

export function binary(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  const next = random();
  for (let i = 0; i < bytes; i++) buffer[i] = next() & 255;
  return buffer;
}

/** Lehmer's generator with Park and Miller's constants. */
function random(): () => number {
  let state = 42;
  return () => {
    state = (state * 48271) % 2147483647;
    return state;
  };
}
