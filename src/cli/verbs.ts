import type { Verb } from './verb.ts';

export interface VerbEntry {
  name: string;
  alias?: string;
  summary: string;
  /** Loaded only when called, so that each verb starts with no more code than it needs. */
  load(): Promise<{ verb: Verb }>;
}

/** All verbs in the order of `caveman --help`. A new verb is one file in commands/ and one entry here. */
export const VERBS: readonly VerbEntry[] = [
  {
    name: 'run',
    alias: 'shrink',
    summary: 'run a command, archive its output, show the short form',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'expand',
    summary: 'give the original back, byte for byte',
    load: () => import('./commands/expand.ts'),
  },
  { name: 'compress', summary: 'shrink what comes on stdin', load: () => import('./commands/compress.ts') },
  {
    name: 'detect',
    summary: 'tell what stdin holds: terminal or text',
    load: () => import('./commands/detect.ts'),
  },
  { name: 'list', summary: 'captures, newest first', load: () => import('./commands/list.ts') },
  { name: 'show', summary: 'everything known about a handle', load: () => import('./commands/show.ts') },
  { name: 'status', summary: 'daemon, archive and savings', load: () => import('./commands/status.ts') },
  { name: 'pin', summary: 'keep a capture for ever', load: () => import('./commands/pin.ts') },
  { name: 'forget', summary: 'delete a capture now', load: () => import('./commands/forget.ts') },
  { name: 'gc', summary: 'free what is old or unused', load: () => import('./commands/gc.ts') },
  { name: 'daemon', summary: 'start, stop and watch the daemon', load: () => import('./commands/daemon.ts') },
  {
    name: 'doctor',
    summary: 'check everything with a real command',
    load: () => import('./commands/doctor.ts'),
  },
  {
    name: 'install',
    summary: 'set up the hooks of bash and zsh',
    load: () => import('./commands/install.ts'),
  },
  {
    name: 'uninstall',
    summary: 'remove the hooks, leave every file as it was',
    load: () => import('./commands/uninstall.ts'),
  },
];
