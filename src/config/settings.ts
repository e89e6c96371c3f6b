import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import * as v from 'valibot';
import { CavemanError } from '../protocol/errors.ts';
import { paths } from '../runtime/paths.ts';

const atLeast = (least: number) => v.pipe(v.number(), v.integer(), v.minValue(least));

/** `config.toml`. Every key may be left out; unknown keys are refused, so that a typo is not a silent default. */
const SettingsSchema = v.strictObject({
  view: v.optional(
    v.strictObject({
      /** Budget of one projection, in tokens, footer not counted. */
      max_tokens: v.optional(atLeast(200), 6_000),
    }),
    {},
  ),
  archive: v.optional(
    v.strictObject({
      max_bytes: v.optional(atLeast(16 * 1024 * 1024), 1024 ** 3),
      max_age_days: v.optional(v.pipe(v.number(), v.minValue(0)), 30),
    }),
    {},
  ),
  daemon: v.optional(
    v.strictObject({
      /** Commands that can ask at the same instant; a slot is free again as soon as it is answered. */
      slots: v.optional(v.pipe(atLeast(1), v.maxValue(36)), 32),
    }),
    {},
  ),
  log: v.optional(
    v.strictObject({ level: v.optional(v.picklist(['debug', 'info', 'warn', 'error']), 'info') }),
    {},
  ),
});
export type Settings = v.InferOutput<typeof SettingsSchema>;

export const DEFAULT_SETTINGS: Settings = v.parse(SettingsSchema, {});

/** Reads text in the form of `config.toml`. Throws `bad-request` with one line: where, what, what is allowed. */
export function parseSettings(text: string, file: string = 'config.toml'): Settings {
  let table: unknown;
  try {
    table = parse(text);
  } catch (error) {
    const at = error instanceof TomlError ? `:${error.line}:${error.column}` : '';
    const what = (error as Error).message.split('\n', 1)[0];
    throw new CavemanError('bad-request', `${file}${at}: ${what}; correct the file or remove it`);
  }
  const result = v.safeParse(SettingsSchema, table);
  if (result.success) return result.output;
  const issue = result.issues[0];
  const key = v.getDotPath(issue) ?? 'the file';
  throw new CavemanError('bad-request', `${file}: ${key}: ${issue.message}; correct the file or remove it`);
}

/** The user's settings; the defaults when there is no `config.toml`. Throws `bad-request` on a bad file. */
export function readSettings(directory: string = paths().config): Settings {
  const file = join(directory, 'config.toml');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return DEFAULT_SETTINGS;
    throw new CavemanError(
      'bad-request',
      `cannot read ${file}: ${(error as Error).message}; make it readable`,
    );
  }
  return parseSettings(text, file);
}
