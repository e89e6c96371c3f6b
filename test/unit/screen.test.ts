import { describe, expect, it } from 'vitest';
import { Screen } from '../../src/engine/screen/screen.ts';

const ESC = '\x1b';

function screen(input: string | Uint8Array) {
  const lines: string[] = [];
  const it = new Screen((bytes, start, end) => {
    lines.push(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(start, end)));
  });
  it.push(typeof input === 'string' ? new TextEncoder().encode(input) : input);
  it.finish();
  return { lines, screen: it };
}
const show = (input: string | Uint8Array) => screen(input).lines;
const latin1 = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0));

describe('physical lines', () => {
  it('counts lines, CRLF ends and the final newline', () => {
    const { lines, screen: s } = screen('a\r\n\r\r\nb\n\nc');
    expect(lines).toEqual(['a', '', 'b', '', 'c']);
    expect([s.rawLines, s.crlfLines, s.changed, s.redrawn, s.endsWithNewline]).toEqual([
      5,
      2,
      true,
      false,
      false,
    ]);
  });
  it('knows nothing of an empty input', () => {
    const { lines, screen: s } = screen('');
    expect(lines).toEqual([]);
    expect([s.rawLines, s.changed, s.endsWithNewline]).toEqual([0, false, false]);
  });
  it('does not count a last line of escapes only', () => {
    const { lines, screen: s } = screen(`done\n${ESC}[0m${ESC}[?25h`);
    expect(lines).toEqual(['done']);
    expect([s.rawLines, s.changed, s.endsWithNewline]).toEqual([1, true, true]);
  });
  it('keeps trailing blanks and tabs of plain lines', () => {
    const { lines, screen: s } = screen('a\tb  \n  \n');
    expect(lines).toEqual(['a\tb  ', '  ']);
    expect(s.changed).toBe(false);
  });
  it('breaks lines at VT, FF and NEL inside text, and drops a form feed at the start of a line', () => {
    expect(show('a\vb\fc\u0085d\n\fe\n')).toEqual(['a', 'b', 'c', 'd', 'e']);
  });
  it('holds more rows than live at once, in order', () => {
    const all = Array.from({ length: 1000 }, (_, i) => (i % 3 ? `line ${i}` : `${ESC}[1mline ${i}${ESC}[m`));
    expect(show(`${all.join('\n')}\n`)).toEqual(Array.from({ length: 1000 }, (_, i) => `line ${i}`));
  });
});

describe('control sequences without effect on the text', () => {
  const cases: [string, string, string][] = [
    ['SGR with colons', `${ESC}[38:2::10:20:30mred${ESC}[4:3m under${ESC}[0m`, 'red under'],
    [
      'private modes',
      `${ESC}[?25l${ESC}[?2026ha${ESC}[?2004h${ESC}[>4;1m${ESC}[>1u${ESC}[<u${ESC}[=1;1ub`,
      'ab',
    ],
    ['intermediates', `${ESC}[2 q${ESC}[!pa${ESC}[1"qb`, 'ab'],
    ['charset designations', `${ESC}(Ba${ESC})0${ESC}%Gb${ESC}*A`, 'ab'],
    ['DECALN and line sizes', `${ESC}#8a${ESC}#6b`, 'ab'],
    ['keypad modes and single shifts', `${ESC}=a${ESC}>b${ESC}Nc${ESC}Od`, 'abcd'],
    ['DCS', `a${ESC}P1$r0m${ESC}\\b`, 'ab'],
    ['APC, PM and SOS', `${ESC}_Gf=100;QUJD${ESC}\\a${ESC}^pm${ESC}\\b${ESC}Xsos${ESC}\\c`, 'abc'],
    ['tmux pass-through', `a${ESC}Ptmux;${ESC}${ESC}]0;t\x07${ESC}\\b`, 'ab'],
    ['a window title of screen', `${ESC}kvim${ESC}\\text`, 'text'],
    ['the palette of the Linux console', `${ESC}]P0123456a${ESC}]Rb`, 'ab'],
    ['stray controls', 'a\0\x07\x0e\x0f\x7f\x01b', 'ab'],
    ['a stray ST', `a${ESC}\\b`, 'ab'],
    ['C1 as U+0080–9F', 'a\u009b31mred\u009b0m\u0090q\u009c\u0084'.slice(0, -1), 'ared'],
    ['CAN ends a string', `a${ESC}]0;title\x18b`, 'ab'],
  ];
  for (const [name, input, text] of cases) it(name, () => expect(show(`${input}\n`)).toEqual([text]));

  it('reads raw C1 bytes as controls only where a whole sequence follows', () => {
    expect(show(latin1('a\x9b31mred\x9b0m \x9d0;t\x9cb \x90q\x9cc\n'))).toEqual(['ared b c']);
    expect(show(latin1('caf\x9c and \x9bquoted\x9b\n'))).toEqual(['caf\ufffd and \ufffdquoted\ufffd']);
  });
  it('does not end a string inside a character that holds byte 9C', () => {
    expect(show(`${ESC}]0;✓ done\x07text\n`)).toEqual(['text']);
  });
  it('shows hidden characters', () => {
    expect(show('a\u202eb\u2066c\u{e0041}d\u200be\n')).toEqual(['a<U+202E>b<U+2066>c<U+E0041>d\u200be']);
  });
});

describe('unterminated sequences', () => {
  it('gives an OSC up at the line end, and loses no text', () => {
    expect(show(`a${ESC}]0;title without end\nerror: next\n`)).toEqual(['atitle without end', 'error: next']);
    expect(show(`${ESC}]8;;http://x`)).toEqual(['http://x']);
  });
  it('gives a DCS up at the end of input or at another escape on a later line', () => {
    expect(show(`${ESC}Pq data\nerror: next\nlast\n`)).toEqual(['q data', 'error: next', 'last']);
    expect(show(`${ESC}_G\nnext ${ESC}[1mbold${ESC}[m\n`)).toEqual(['G', 'next bold']);
  });
  it('gives a DCS up after a mebibyte', () => {
    const text = `${'y'.repeat(99)}\n`.repeat(11_000);
    const lines = show(`${ESC}P\n${text}last\n${ESC}\\`);
    expect(lines.length).toBe(11_002);
  });
  it('swallows a picture of several lines', () => {
    const { lines, screen: s } = screen(`a${ESC}Pq#0!9~\n#1!9~\n${ESC}\\b\n`);
    expect(lines).toEqual(['ab']);
    expect([s.rawLines, s.redrawn]).toEqual([3, true]);
  });
  it('drops a CSI that a line end cuts, and a lone ESC at the end', () => {
    expect(show(`a${ESC}[31\nb${ESC}[\nc${ESC}`)).toEqual(['a', 'b', 'c']);
  });
  it('takes an endless CSI for text', () => {
    expect(show(`${ESC}[${'1'.repeat(300)}\n`)).toEqual(['1'.repeat(300)]);
  });
});

describe('carriage returns', () => {
  it('keep the last non-blank frame, with nothing of a longer one', () => {
    expect(show('\rloading 10 of 100\rdone\n')).toEqual(['done']);
    expect(show('step 3/3\r        \r\n')).toEqual(['step 3/3']);
    expect(show('step 3/3\r        \rok\n')).toEqual(['ok']);
    expect(show('a long frame\rshort\b!\n')).toEqual(['shor!']);
  });
  it('let an explicit erase win', () => {
    expect(show(`working\r${ESC}[K\n`)).toEqual(['']);
    expect(show(`working\r${ESC}[2Kdone\n`)).toEqual(['done']);
  });
  it('become column addressing when the cursor is moved', () => {
    expect(show(`Starting db\r${ESC}[20C[ ok ]\n`)).toEqual(['Starting db         [ ok ]']);
    expect(show(`[ ] build\n[ ] test\n${ESC}[2A\r[x]${ESC}[2B\r`)).toEqual(['[x] build', '[ ] test']);
  });
});

describe('cells of one line', () => {
  const cases: [string, string, string][] = [
    ['backspace overwrites', 'helo\blo', 'hello'],
    ['backspace stops at column 0', '\b\bab', 'ab'],
    ['overstrike', 'N\bNA\bA _\bf', 'NA f'],
    ['wiping by backspace, space, backspace leaves no blanks', 'abc\b \b\b \b', 'a'],
    ['erase to the end', `abcdef${ESC}[3D${ESC}[Kxyz`, 'abcxyz'],
    ['erase to the start', `abcdef${ESC}[3D${ESC}[1K`, '    ef'],
    ['ECH', `abcdef${ESC}[5D${ESC}[2X`, 'a  def'],
    ['ICH', `abc${ESC}[2D${ESC}[2@`, 'a  bc'],
    ['DCH', `abcdef${ESC}[4D${ESC}[2P`, 'abef'],
    ['CHA and HPA', `abc${ESC}[1Gx${ESC}[5\`y`, 'xbc y'],
    ['cursor forward as blanks', `a${ESC}[3Cb`, 'a   b'],
    ['REP', `=${ESC}[4b>`, '=====>'],
    ['tab stops', `${ESC}[1Ga\tb`, 'a       b'],
    ['line drawing', `${ESC}(0lqk${ESC}(Bx`, '┌─┐x'],
    ['wide characters', `日本${ESC}[2Dx`, '日x'],
    ['half a wide character', `日本${ESC}[3Dx`, ' x本'],
    ['combining marks', 'e\u0301f\bg', 'e\u0301g'],
  ];
  for (const [name, input, text] of cases) it(name, () => expect(show(`${input}\n`)).toEqual([text]));
  it('keeps lines one to one', () => {
    const { lines, screen: s } = screen('a\bb\nc\n');
    expect(lines).toEqual(['b', 'c']);
    expect(s.redrawn).toBe(false);
  });
});

describe('rows', () => {
  it('show a redrawn block in its last state, also one higher than the screen', () => {
    const block = (n: number) => Array.from({ length: 40 }, (_, i) => `${ESC}[2Klayer-${i} ${n}%\n`).join('');
    expect(show(`start\n${block(1)}${ESC}[40A${block(50)}${ESC}[40A${block(100)}end\n`)).toEqual([
      'start',
      ...Array.from({ length: 40 }, (_, i) => `layer-${i} 100%`),
      'end',
    ]);
  });
  it('erase below: the block of a spinner goes', () => {
    expect(show(`a\nspin 1\nspin 2\n${ESC}[2A${ESC}[Jdone\n`)).toEqual(['a', 'done']);
  });
  it('save and restore the cursor', () => {
    expect(show(`${ESC}7one\ntwo\n${ESC}8ONE\n\n`)).toEqual(['ONE', 'two']);
  });
  it('insert and delete lines', () => {
    expect(show(`a\nb\nc\n${ESC}[3A${ESC}[Lx\n`)).toEqual(['x', 'a', 'b', 'c']);
    expect(show(`a\nb\nc\n${ESC}[3A${ESC}[M`)).toEqual(['b', 'c']);
  });
  it('scroll inside margins without losing what leaves at the top', () => {
    const bar = (n: number) => `${ESC}7${ESC}[24;1H[${n}%]${ESC}[K${ESC}8`;
    const text = `${ESC}7${ESC}[1;23r${ESC}8${Array.from({ length: 60 }, (_, i) => `unpack ${i}\n${bar(i)}`).join('')}`;
    const lines = show(text).filter((line) => line !== '');
    expect(lines).toEqual([...Array.from({ length: 60 }, (_, i) => `unpack ${i}`), '[59%]']);
  });
  it('reverse index and next line', () => {
    expect(show(`a\nb${ESC}M\rA${ESC}E!\n`)).toEqual(['A', '!']);
  });
});

describe('clears and the alternate screen', () => {
  it('a clear keeps what was printed before it', () => {
    expect(show(`one\ntwo\n${ESC}[2J${ESC}[Hthree\n`)).toEqual(['one', 'two', 'three']);
    expect(show(`one\n${ESC}cthree\n`)).toEqual(['one', 'three']);
    expect(show(`one\n${ESC}[H${ESC}[Jthree\n`)).toEqual(['one', 'three']);
  });
  it('of like frames only the last stays, with failure lines of the others', () => {
    const frame = (n: number) =>
      `${ESC}[H${ESC}[2Jwatch run ${n}\ncpu ${n}%\n${n === 3 ? 'error: probe lost\n' : 'all well\n'}`;
    expect(show(`$ watch\n${[1, 2, 3, 4, 5].map(frame).join('')}`)).toEqual([
      '$ watch',
      'error: probe lost',
      'watch run 5',
      'cpu 5%',
      'all well',
    ]);
  });
  it('frames that differ all stay', () => {
    expect(show(`${ESC}[2J${ESC}[Hcompile\n${ESC}[2J${ESC}[Hlink\n${ESC}[2J${ESC}[Htest\n`)).toEqual([
      'compile',
      'link',
      'test',
    ]);
  });
  it('the last state of the alternate screen is the text', () => {
    const tui = `${ESC}[?1049h${ESC}[Hmenu 1\nitem\n${ESC}[2J${ESC}[Hmenu 2\nitem\n${ESC}[?1049l`;
    expect(show(`before\n${tui}after\n`)).toEqual(['before', 'menu 2', 'item', 'after']);
  });
});

describe('wiped failure lines', () => {
  it('stay before the row that replaced them', () => {
    expect(show(`error: cannot open socket${ESC}[2K\rconnected\n`)).toEqual([
      'error: cannot open socket',
      'connected',
    ]);
    expect(show(`ERROR: bad signature\n${ESC}[1A${ESC}[2Kfine\n`)).toEqual(['ERROR: bad signature', 'fine']);
    expect(show('attempt failed\rattempt worked\n')).toEqual(['attempt failed', 'attempt worked']);
    expect(show(`fatal: x\n${ESC}[1A${ESC}[M`)).toEqual(['fatal: x']);
  });
  it('stay once per kind, and not when the row shows them in the end', () => {
    const bar = Array.from({ length: 1000 }, (_, i) => `\rdone ${i}, errors: ${i + 1}`).join('');
    expect(show(`${bar}\n`)).toEqual(['done 999, errors: 1000']);
    expect(show(`${bar}\rfinished\n`)).toEqual(['done 999, errors: 1000', 'finished']);
    expect(show('error: a\rerror: ab\rerror: abc\n')).toEqual(['error: abc']);
  });
  it('are not those that count zero', () => {
    expect(show('10 ok, 0 errors\rok\n')).toEqual(['ok']);
    expect(show('failed: 0, errors=0\rok\n')).toEqual(['ok']);
    expect(show('no failures, terror and mirrors\rok\n')).toEqual(['ok']);
  });
  it('include types and crosses', () => {
    expect(show('caught TypeError\rok\n')).toEqual(['caught TypeError', 'ok']);
    expect(show('✗ unit\rok\n')).toEqual(['✗ unit', 'ok']);
  });
});

describe('large input', () => {
  it('takes a line of megabytes with cursor movement in it', () => {
    const long = 'a'.repeat(3_000_000);
    expect(show(`${long}\b!\n${long} error${ESC}[Kx\n`)).toEqual([`${long.slice(1)}!`, `${long} errorx`]);
  });
  it('cannot be blown up by counts', () => {
    const total = show(
      `x${`${ESC}[999999999b`.repeat(50)}${`${ESC}[99999@`.repeat(50)}${ESC}[99999Cy\n`,
    ).join('').length;
    expect(total).toBeLessThan(20_000);
  });
});
