import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Screen } from '../../src/engine/screen/screen.ts';

interface Result {
  lines: string[];
  raw: number;
  crlf: number;
  changed: boolean;
  redrawn: boolean;
  newline: boolean;
}

function read(bytes: Uint8Array, cuts: number[] = []): Result {
  const lines: string[] = [];
  const screen = new Screen((b, start, end) => {
    lines.push(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(b.subarray(start, end)));
  });
  let from = 0;
  for (const cut of [...new Set(cuts.map((c) => c % (bytes.length + 1)))].sort((a, b) => a - b)) {
    // A copy that is overwritten afterwards: the screen must not keep a chunk.
    const chunk = bytes.slice(from, cut);
    screen.push(chunk);
    chunk.fill(0x58);
    from = cut;
  }
  screen.push(bytes.slice(from));
  screen.finish();
  return {
    lines,
    raw: screen.rawLines,
    crlf: screen.crlfLines,
    changed: screen.changed,
    redrawn: screen.redrawn,
    newline: screen.endsWithNewline,
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const joined = (result: Result) => result.lines.join('\n') + (result.newline ? '\n' : '');

const word = fc.constantFrom(
  'ok',
  'error: disk',
  'FAILED 3',
  'x',
  ' ',
  '   ',
  'naïve',
  '日本',
  'e\u0301',
  '🚀',
  '10%',
  '0 errors',
);
const number = fc.integer({ min: 0, max: 30 });
const csi = fc
  .tuple(
    fc.constantFrom('', '?', '>'),
    fc.array(number, { maxLength: 3 }),
    fc.constantFrom(...'@ABCDEFGHIJKLMPSTXZ`abdefhlmnrsu'),
  )
  .map(([prefix, numbers, final]) => `\x1b[${prefix}${numbers.join(';')}${final}`);
const control = fc.constantFrom(
  ...['\r', '\n', '\r\n', '\r\r\n', '\b', '\t', '\v', '\f', '\0', '\x07', '\x0e', '\x0f', '\x7f', '\x1b'],
  ...[
    '\x1b[2J',
    '\x1b[H',
    '\x1b[K',
    '\x1b[?1049h',
    '\x1b[?1049l',
    '\x1b7',
    '\x1b8',
    '\x1bM',
    '\x1bD',
    '\x1bE',
    '\x1bc',
  ],
  ...[
    '\x1b]0;title\x07',
    '\x1b]8;;http://x\x1b\\',
    '\x1b]0;open',
    '\x1bPq#0\x1b\\',
    '\x1bP1\n2\x1b\\',
    '\x1bPopen',
    '\x1b(0',
    '\x1b(B',
  ],
  ...[
    '\u009b2K',
    '\u009d0;t\u009c',
    '\u0085',
    '\u202e',
    '\u2066',
    '\u{e0041}',
    '\x1b#8',
    '\x1b=',
    '\x1b[38:2:1:2:3m',
    '\x1b[3',
  ],
);
const piece = fc.oneof({ weight: 4, arbitrary: word.map(utf8) }, csi.map(utf8), control.map(utf8), {
  weight: 1,
  arbitrary: fc.uint8Array({ maxLength: 4 }),
});
const output = fc.array(piece, { maxLength: 60 }).map((pieces) => new Uint8Array(Buffer.concat(pieces)));
const cuts = fc.array(fc.nat(400), { maxLength: 12 });

describe('screen, for any output', () => {
  it('gives the same lines however the bytes are cut', () => {
    fc.assert(
      fc.property(output, cuts, (bytes, at) => {
        expect(read(bytes, at)).toEqual(read(bytes));
      }),
      { numRuns: 1500 },
    );
  });

  it('emits no control character, no hidden character and no bad UTF-8', () => {
    fc.assert(
      fc.property(output, (bytes) => {
        for (const line of read(bytes).lines) {
          expect(line).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
          expect(line).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
        }
      }),
      { numRuns: 800 },
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(output, (bytes) => {
        const once = read(bytes);
        const twice = read(utf8(joined(once)));
        expect(twice.lines).toEqual(once.lines);
        expect(twice.changed).toBe(false);
      }),
      { numRuns: 1500 },
    );
  });

  it('says truly whether the text differs from the input, and whether lines are one to one', () => {
    fc.assert(
      fc.property(output, (bytes) => {
        const result = read(bytes);
        expect(result.changed).toBe(!Buffer.from(utf8(joined(result))).equals(bytes));
        if (!result.redrawn) expect(result.lines.length).toBe(result.raw);
      }),
      { numRuns: 1500 },
    );
  });
});

describe('screen, for plain text', () => {
  it('passes lines of any text without controls unchanged', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 80 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), fc.boolean(), cuts, (lines, newline, at) => {
        const clean = lines.filter(
          (l) => !/[\x00-\x08\x0a-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u.test(l),
        );
        const text = clean.join('\n') + (newline ? '\n' : '');
        const result = read(utf8(text), at);
        expect(joined(result)).toBe(text);
        expect(result.changed).toBe(false);
      }),
    );
  });

  it('replaces bad bytes as a decoder does', () => {
    const bytes = fc
      .uint8Array({ maxLength: 60 })
      .map((b) => b.filter((x) => x >= 0x20 && x !== 0x7f && (x < 0x80 || x >= 0xa0)));
    fc.assert(
      fc.property(bytes, cuts, (raw, at) => {
        const wanted = new TextDecoder('utf-8', { ignoreBOM: true }).decode(raw);
        expect(read(raw, at).lines.join('\n')).toBe(wanted);
      }),
    );
  });
});

describe('screen, against a terminal emulator', () => {
  const Terminal = xterm.Terminal;

  async function emulated(text: string): Promise<string[]> {
    const terminal = new Terminal({
      cols: 400,
      rows: 24,
      scrollback: 0,
      convertEol: true,
      allowProposedApi: true,
    });
    await new Promise<void>((done) => terminal.write(text, done));
    const lines = Array.from({ length: 24 }, (_, y) =>
      terminal.buffer.active.getLine(y)!.translateToString(true).trimEnd(),
    );
    terminal.dispose();
    return lines.filter((line) => line !== '');
  }

  // Left out: what we mean to do otherwise (frames after CR, clears, failure words), and scrolling off the top.
  const text = fc.constantFrom('alpha', 'b', 'gamma ray', '日本', 'x', 'e\u0301f', '12');
  const small = fc.integer({ min: 1, max: 6 });
  const move = fc
    .tuple(small, fc.constantFrom(...'ABCDEFGIZ`ade@PXLM'))
    .map(([n, final]) => `\x1b[${n}${final}`);
  const absolute = fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 30 }))
    .map(([y, x]) => `\x1b[${y};${x}H`);
  const other = fc.constantFrom(
    '\x1b7\t',
    '\b',
    '\n',
    '\x1b[K',
    '\x1b[1K',
    '\x1b[2K',
    '\x1b7',
    '\x1b8',
    '\x1bM',
    '\x1b[s',
    '\x1b[u',
    '\x1b[31m',
    '\x1b[1J',
    '\x1b[2T',
  );

  it('draws what the emulator draws', async () => {
    const script = fc.array(fc.oneof({ weight: 3, arbitrary: text }, move, absolute, other), {
      maxLength: 25,
    });
    await fc.assert(
      fc.asyncProperty(script, async (pieces) => {
        const output = pieces.join('');
        fc.pre((output.match(/\n/g)?.length ?? 0) < 8);
        const lines = read(utf8(output))
          .lines.map((line) => line.trimEnd())
          .filter((line) => line !== '');
        expect(lines).toEqual(await emulated(output));
      }),
      { numRuns: 1500 },
    );
  });
});
