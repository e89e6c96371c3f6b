import { type SimpleCommand, simpleCommands } from './words.ts';

/** Wrappers inside wrappers (`sh -c` in an agent's `eval`) are opened so deep. */
const MAX_DEPTH = 4;
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh']);

/**
 * The simple commands that the person or agent wrote, with the known wrappers opened: an agent's snapshot with
 * `eval '…'`, `exec SHELL -c '…'`, `builtin eval "$1"` (then `argument` is the command), `( trap … EXIT; … )`,
 * `sh -c '…'`. Null for anything that is not understood.
 */
export function openCommand(command: string, argument: string, depth = 0): SimpleCommand[] | null {
  if (depth > MAX_DEPTH) return null;
  const commands = simpleCommands(command);
  if (!commands) return null;
  for (const { words } of commands) {
    const inner = wrapped(words, argument);
    if (inner !== null) return openCommand(inner, '', depth + 1);
  }
  return commands.filter((one) => one.words.length > 0);
}

/** The command string that this one evaluates, or null. */
function wrapped(words: readonly string[], argument: string): string | null {
  const rest = words.filter((word, i) => !(i === 0 && (word === 'exec' || word === 'builtin')));
  const first = rest[0];
  if (first === undefined) return null;
  if (first === 'eval') {
    const text = rest.slice(1).join(' ');
    return text === '$1' ? argument : text;
  }
  if (!SHELLS.has(first.slice(first.lastIndexOf('/') + 1)) && first !== '$SHELL') return null;
  const at = rest.findIndex((word, i) => i > 0 && /^-[a-z]*c$/.test(word));
  return at > 0 ? (rest[at + 1] ?? null) : null;
}
