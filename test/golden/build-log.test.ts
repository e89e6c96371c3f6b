import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { footer } from '../../src/engine/footer.ts';
import { createProjector, project } from '../../src/engine/project.ts';
import type { ProjectOptions } from '../../src/engine/types.ts';

const fixture = (name: string): Buffer => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const log = fixture('build.log');
const expected = fixture('build.expected.txt').toString();
const options: ProjectOptions = {
  command: 'npm run build',
  argument: '',
  stream: 'stdout',
  maxTokens: 6000,
  literal: null,
  cutShort: false,
  origin: 'capture',
  exit: 3,
  signal: null,
};

test.each(['capture', 'stdin'] as const)('the build log gives exactly the nine lines (%s)', (origin) => {
  const projection = project(log, { ...options, origin });
  expect(projection.text).toBe(expected);
  expect(projection).toMatchObject({
    source: 'terminal',
    linesBefore: 124,
    linesAfter: 9,
    bytesBefore: 9733,
  });
  expect(projection.elisions).toEqual([
    { firstLine: 4, lastLine: 71, lines: 68, rule: 'redundant' },
    { firstLine: 73, lastLine: 121, lines: 49, rule: 'redundant' },
  ]);
});

test('byte by byte the build log gives the same', () => {
  const projector = createProjector(options);
  for (const byte of log) projector.push(Uint8Array.of(byte));
  expect(projector.finish()).toEqual(project(log, options));
});

test('a second pass changes nothing', () => {
  const again = project(Buffer.from(expected), { ...options, origin: 'stdin' });
  expect(again.text).toBeNull();
});

test('the footer names lines, exit status and handle', () => {
  const facts = { handle: 'cv7k3m2q4', launcher: 'caveman', signal: null };
  const projection = project(log, options);
  expect(footer(projection, { ...facts, exit: 3 })).toBe('[124→9 lines · exit 3 · caveman expand cv7k3m2q4]');
  expect(footer(projection, { ...facts, exit: 0 })).toBe('[124→9 lines · caveman expand cv7k3m2q4]');
});
