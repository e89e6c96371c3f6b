import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, parseSettings, readSettings } from '../../src/config/settings.ts';

describe('settings', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'caveman-settings-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  it('are the defaults without a file, and in an empty one', () => {
    expect(readSettings(directory)).toEqual(DEFAULT_SETTINGS);
    writeFileSync(join(directory, 'config.toml'), '# nothing\n');
    expect(readSettings(directory)).toEqual(DEFAULT_SETTINGS);
    expect(DEFAULT_SETTINGS.view.max_tokens).toBe(6000);
    expect(DEFAULT_SETTINGS.archive).toEqual({ max_bytes: 1024 ** 3, max_age_days: 30 });
  });

  it('keep the defaults of what is left out', () => {
    const settings = parseSettings('[archive]\nmax_age_days = 7\n');
    expect(settings.archive).toEqual({ max_bytes: 1024 ** 3, max_age_days: 7 });
    expect(settings.view).toEqual(DEFAULT_SETTINGS.view);
  });

  it.each([
    ['[view]\nmax_tokens = "many"\n', 'view.max_tokens'],
    ['[view]\nmax_tokens = 3\n', 'view.max_tokens'],
    ['[view]\nmax_token = 3000\n', 'view.max_token'],
    ['[daemon]\nslots = 1.5\n', 'daemon.slots'],
    ['[archive\n', 'config.toml:1:'],
  ])('refuse %j in one line that names the place', (text, place) => {
    expect(() => parseSettings(text)).toThrow(place);
    expect(() => parseSettings(text)).not.toThrow(/\n/);
  });
});
