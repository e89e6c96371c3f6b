import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rcBlock, withDirectory } from '../helpers/start-up-files.ts';

it('putting the block in and taking it out gives any file back byte for byte', () =>
  withDirectory((dir) => {
    for (const name of ['home', 'work']) mkdirSync(join(dir, name));
    const rc = join(dir, 'home', '.zshenv');
    const line = fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .constantFrom('# >>> caveman', '# <<< caveman <<', '\r', 'echo', '\\', "'")
        .map((text) => Buffer.from(text)),
    );
    const file = fc
      .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', '\n', '\r\n'))
      .map(([lines, last]) =>
        Buffer.concat([...lines.flatMap((l) => [l, Buffer.from('\n')]), Buffer.from(last)]),
      );
    fc.assert(
      fc.property(file, (before) => {
        writeFileSync(rc, before);
        const answer = rcBlock(dir, 'rc_put "$@" && rc_put "$@" && rc_remove', [rc, 'zsh']);
        expect(answer).toEqual({ status: 0, stdout: '', stderr: '' });
        expect(readFileSync(rc).equals(before)).toBe(true);
      }),
      { numRuns: 20 },
    );
  }));
