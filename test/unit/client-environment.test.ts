import { expect, it } from 'vitest';
import { scrubbedEnv } from '../../src/protocol/markers.ts';

it('a daemon started by an agent inherits none of its markers and nothing of our hook', () => {
  const env = {
    PATH: '/bin',
    CLAUDECODE: '1',
    CODEX_THREAD_ID: 't',
    CAVEMAN_AGENT: '1',
    CAVEMAN_GUARD: 'g',
    CAVEMAN_CAPTURE: 'c',
    CAVEMAN_HOME: '/h',
    UNSET: undefined,
  };
  expect(scrubbedEnv({ ...env, AGENT: 'goose' })).toEqual({ PATH: '/bin', CAVEMAN_HOME: '/h' });
  expect(scrubbedEnv({ AGENT: 'smith' })).toEqual({ AGENT: 'smith' });
});
