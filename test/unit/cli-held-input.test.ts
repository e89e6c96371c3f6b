import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeldInput } from '../../src/cli/held-input.ts';
import { OutputFile } from '../../src/cli/output-file.ts';

async function all(input: HeldInput): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.replay()) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describe('HeldInput', () => {
  it('gives back every byte, twice, on either side of its memory bound', async () => {
    const chunk = fc.uint8Array({ maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { maxLength: 12 }),
        fc.integer({ min: 0, max: 200 }),
        async (chunks, bound) => {
          const input = new HeldInput(bound);
          for (const piece of chunks) input.push(piece);
          const whole = Buffer.concat(chunks);
          expect(input.bytes).toBe(whole.length);
          expect(await all(input)).toEqual(whole);
          expect(await all(input)).toEqual(whole);
          input.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('leaves no name in the file system', () => {
    const before = new Set(readdirSync(tmpdir()).filter((name) => /^caveman-[0-9a-f]{24}$/.test(name)));
    const input = new HeldInput(10);
    input.push(new Uint8Array(100));
    const after = readdirSync(tmpdir()).filter(
      (name) => /^caveman-[0-9a-f]{24}$/.test(name) && !before.has(name),
    );
    expect(after).toEqual([]);
    input.close();
  });

  it('keeps the bytes in memory where no file can be made', async () => {
    const directory = process.env['TMPDIR'];
    process.env['TMPDIR'] = '/nonexistent/directory';
    try {
      const input = new HeldInput(4);
      input.push(Buffer.from('hello '));
      input.push(Buffer.from('world'));
      expect((await all(input)).toString()).toBe('hello world');
    } finally {
      if (directory === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = directory;
    }
  });
});

describe('OutputFile', () => {
  it('appears whole or not at all, is private, and follows no link', async () => {
    const { readFileSync, statSync, symlinkSync, writeFileSync } = await import('node:fs');
    const home = mkdtempSync(join(tmpdir(), 'caveman-test-'));
    try {
      const path = join(home, 'out');
      writeFileSync(path, 'old', { mode: 0o644 });
      const file = OutputFile.open(path);
      file.write(Buffer.from([0, 255, 10]));
      expect(readFileSync(path, 'utf8')).toBe('old');
      file.commit();
      file.discard();
      expect(readFileSync(path)).toEqual(Buffer.from([0, 255, 10]));
      expect(statSync(path).mode & 0o777).toBe(0o600);

      const dropped = OutputFile.open(join(home, 'dropped'));
      dropped.write(Buffer.from('x'));
      dropped.discard();
      symlinkSync(path, join(home, 'link'));
      expect(() => OutputFile.open(join(home, 'link'))).toThrow(/is a link/);
      expect(() => OutputFile.open(home)).toThrow(/is a directory/);
      expect(() => OutputFile.open(join(home, 'no', 'where'))).toThrow(/cannot write/);
      expect(readdirSync(home).sort()).toEqual(['link', 'out']);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
