import { isMarkerLine } from './terminal/marker.ts';
import type { Elision, Projection, ProjectOptions } from './types.ts';

/** Each round saves at least a fifth, so that few are ever needed. */
const MAX_ROUNDS = 12;

type Project = (bytes: Uint8Array, options: ProjectOptions) => Projection;
const encoder = new TextEncoder();

/**
 * Makes a projection of stdin stable: projects its own text until that changes nothing, so that a second pass over
 * the result is the identity. Almost always the first check ends it. Elisions keep naming lines of the first text.
 */
export function settle(first: Projection, options: ProjectOptions, project: Project): Projection {
  let current = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (current.text === null || current.source === 'literal') return current;
    const next = project(encoder.encode(current.text), { ...options, origin: 'stdin' });
    if (next.text === null) return current;
    current = {
      ...current,
      text: next.text,
      linesAfter: next.linesAfter,
      elisions: compose(current, next.elisions),
    };
  }
  return current;
}

/** Elisions over the lines of `before.text`, told in lines of the text that it was made from. */
function compose(before: Projection, later: readonly Elision[]): Elision[] {
  const lines = before.text!.split('\n');
  const spans = originalSpans(lines, before.elisions);
  const hidden = later.map((elision) => merged(spans, elision));
  const shown = before.elisions.filter(
    (old) => !hidden.some((h) => h.firstLine <= old.firstLine && old.lastLine <= h.lastLine),
  );
  return [...shown, ...hidden].sort((a, b) => a.firstLine - b.firstLine);
}

function merged(spans: [number, number][], elision: Elision): Elision {
  const firstLine = spans[elision.firstLine - 1]![0];
  const lastLine = spans[elision.lastLine - 1]![1];
  return { firstLine, lastLine, lines: lastLine - firstLine + 1, rule: elision.rule };
}

/** For each line of a rendered text, the lines that it stands for. */
function originalSpans(lines: readonly string[], elisions: readonly Elision[]): [number, number][] {
  const spans: [number, number][] = [];
  let number = 1;
  let gap = 0;
  for (const line of lines) {
    const elision = elisions[gap];
    if (elision && elision.firstLine === number && isMarkerLine(line.replace(/\r$/, ''))) {
      spans.push([elision.firstLine, elision.lastLine]);
      number = elision.lastLine + 1;
      gap++;
    } else spans.push([number, number++]);
  }
  return spans;
}
