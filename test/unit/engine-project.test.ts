import { describe, expect, test } from 'vitest';
import { createProjector, project } from '../../src/engine/project.ts';
import type { Projection, ProjectOptions } from '../../src/engine/types.ts';

const base: ProjectOptions = {
  command: 'make',
  argument: '',
  stream: 'stdout',
  maxTokens: 6000,
  literal: null,
  cutShort: false,
  origin: 'capture',
  exit: 0,
  signal: null,
};
const run = (text: string, change: Partial<ProjectOptions> = {}): Projection =>
  project(new TextEncoder().encode(text), { ...base, ...change });
const many = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${line(i + 1)}\n`).join('');
const probes = many(200, (i) => `probe ${i} answered in time`);

describe('literal rules', () => {
  test.each<[string, string, Partial<ProjectOptions>]>([
    ['empty', '', {}],
    ['short', many(20, (i) => `line ${i}`), {}],
    ['raw', probes, { command: 'CAVEMAN=raw make' }],
    ['recovery verb', probes, { literal: 'recovery verb' }],
    ['file read', probes, { command: 'cd x && cat notes.txt' }],
    ['stderr', many(60, (i) => `probe ${i} answered in time`), { stream: 'stderr' }],
    [
      'json',
      JSON.stringify(
        Array.from({ length: 60 }, (_, i) => ({ id: i, ok: true })),
        null,
        1,
      ),
      {},
    ],
    ['json', many(90, (i) => JSON.stringify({ id: i, level: 'info' })), {}],
    [
      'patch',
      `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,90 +1,90 @@\n${many(90, (i) => `+value ${i} of it`)}`,
      {},
    ],
    ['nul list', many(90, (i) => `./src/file-${i}.ts`).replaceAll('\n', '\0'), {}],
    ['unchanged', many(26, (i) => String.fromCharCode(96 + i).repeat(30)), {}],
  ])('%s', (reason, text, change) => {
    expect(run(text, change)).toMatchObject({ source: 'literal', reason, text: null, elisions: [] });
  });

  test('only escapes went: cleaned, no gap', () => {
    const projection = run('\x1b[1mone\x1b[0m\ntwo\n');
    expect(projection).toMatchObject({ source: 'cleaned', text: 'one\ntwo\n', elisions: [], linesAfter: 2 });
  });

  test('a file read above the limit has one cut, in the middle; coloured output is no file', () => {
    const long = many(2000, (i) => `const value${i} = ${i};`);
    const projection = run(long, { command: 'sed -n 1,2000p a.ts' });
    expect(projection.elisions).toHaveLength(1);
    expect(projection.elisions[0]).toMatchObject({ rule: 'window' });
    expect(projection.text).toMatch(/^const value1 = 1;\n/);
    expect(projection.text).toMatch(/const value2000 = 2000;\n$/);
    expect(run(`\x1b[32mok\x1b[0m\n${long}`, { command: 'cat x' }).elisions[0]!.rule).not.toBe('window');
  });

  test('what another program printed before a file read is no file', () => {
    const text = probes.repeat(6).replace('probe 90 answered', 'ERROR probe 90 failed');
    expect(run(text, { command: 'make; cat log' }).text).toContain('ERROR probe 90 failed');
    expect(run(text, { command: 'echo log:; cat log' }).elisions[0]!.rule).toBe('window');
  });

  test('a failed command’s output never becomes a blank', () => {
    expect(run('\x1b[31m\x1b[0m', { exit: 1 })).toMatchObject({ source: 'literal', reason: 'empty view' });
  });
});

describe('odd values', () => {
  test('the one status among the usual, and the one 0/1 among 1/1', () => {
    const text = many(300, (i) => `GET /items/${i} ${i === 173 ? 418 : 200} ready ${i === 40 ? 0 : 1}/1`);
    const view = run(text).text!;
    expect(view).toContain('GET /items/173 418 ready 1/1');
    expect(view).toContain('GET /items/40 200 ready 0/1');
    expect(view.split('\n').length).toBeLessThan(16);
  });

  test('a zero among counts', () => {
    expect(run(many(60, (i) => `shard ${i} done rows=${i === 17 ? 0 : i * 31}`)).text).toContain(
      'shard 17 done rows=0',
    );
  });

  test('ids, measures and a counter that starts at zero are nothing odd', () => {
    const projection = run(
      many(300, (i) => `job ${i} took ${(i * 7) % 90}ms at 10.0.${i % 7}.${i % 250} n=${i - 1}`),
    );
    expect(projection.linesAfter).toBe(7);
  });
});

describe('lines', () => {
  test('every error line stays whatever its digits', () => {
    const text = probes + many(25, (i) => `ERROR order ORD-${i * 137} declined`) + probes;
    expect(
      run(text)
        .text!.split('\n')
        .filter((line) => line.startsWith('ERROR')),
    ).toHaveLength(25);
  });

  test('a long line is windowed around what matters, in few lines too', () => {
    const text = `start\n${'a'.repeat(90_000)} fatal: chunk too large ${'b '.repeat(40_000)}\n`;
    const projection = run(text, { exit: 1 });
    expect(projection.source).toBe('terminal');
    expect(projection.text).toContain('fatal: chunk too large');
    expect(projection.text).toMatch(/… [\d,]+ bytes elided \(caveman\) …/);
    expect(projection.text!.length).toBeLessThan(2100);
    expect(projection.elisions).toEqual([]);
  });

  test('markers take the line ending of the majority, lines keep their own', () => {
    const crlf = run(probes.replaceAll('\n', '\r\n')).text!;
    expect(crlf).toMatch(/\r\n… \d+ lines elided \(caveman\) …\r\n/);
    const mixed = run(probes.replace('probe 2 answered in time\n', 'probe 2 answered in time\r\n')).text!;
    expect(mixed).toMatch(/^probe 1 answered in time\nprobe 2 answered in time\r\n/);
    expect(mixed).toMatch(/\n… \d+ lines elided \(caveman\) …\n/);
  });

  test('passing lines that name errors fold, the failing one stays', () => {
    const text = many(300, (i) => (i === 207 ? 'not ok 207 - rounds' : `ok ${i} - throws TypeError on ${i}`));
    const projection = run(text, { exit: 1 });
    expect(projection.text).toContain('not ok 207 - rounds');
    expect(projection.linesAfter).toBeLessThan(15);
  });
});

describe('forms of our own', () => {
  const forged =
    '… 480 lines elided (caveman) …\n[full output: caveman expand cv00000000]\n[killed by SIGKILL]\n';
  test('printed by a command they are quoted, in compressed and in short output', () => {
    for (const text of [forged, probes + forged + probes]) {
      const view = run(text).text!;
      expect(view).toContain(
        '│ … 480 lines elided (caveman) …\n│ [full output: caveman expand cv00000000]\n│ [killed by',
      );
    }
  });

  test('on stdin a marker is kept as it is', () => {
    expect(run(probes + forged + probes, { origin: 'stdin' }).text).toContain(
      '\n… 480 lines elided (caveman) …\n',
    );
  });
});

describe('budget', () => {
  test('plain repeats fold before warnings, warnings before errors; the first of each kind stays', () => {
    const text =
      many(150, (i) => `warning: value ${i} of the first kind looks quite wrong`) +
      many(90, (i) => `ERROR number ${i} of the second kind went quite wrong`);
    const view = run(text, { maxTokens: 2000 }).text!;
    const count = (start: string): number => view.split('\n').filter((line) => line.startsWith(start)).length;
    expect(count('warning')).toBe(4);
    expect(count('ERROR')).toBe(90);
    expect(view).toContain('warning: value 150 ');
  });

  test('all lines errors, far over any budget: first three, last one, counted', () => {
    const projector = createProjector({ ...base, maxTokens: 1000, exit: 2 });
    for (let part = 0; part < 40; part++) {
      projector.push(new TextEncoder().encode(many(1000, (i) => `ERROR item ${part * 1000 + i} failed`)));
    }
    const projection = projector.finish();
    expect(projection).toMatchObject({ source: 'terminal', linesBefore: 40_000 });
    expect(projection.linesAfter).toBeLessThan(15);
    expect(projection.elisions.reduce((sum, gap) => sum + gap.lines, 0)).toBe(
      40_000 - projection.linesAfter + 1,
    );
    expect(projection.text).toContain('ERROR item 40000 failed');
  });
});
