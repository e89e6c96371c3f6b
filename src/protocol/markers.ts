/**
 * Environment variables by which coding agents mark the shells they start.
 * Strong: set only for an agent's own commands. `AGENT=amp` and `AGENT=goose` count too.
 */
export const STRONG_MARKERS = [
  'CLAUDE_CODE_CHILD_SESSION',
  'CODEX_THREAD_ID',
  'CODEX_CI',
  'GEMINI_CLI',
  'OPENCODE',
  'CURSOR_AGENT',
  'GOOSE_TERMINAL',
  'CLINE_ACTIVE',
  'ROO_ACTIVE',
  'COPILOT_CLI',
  'QWEN_CODE',
  'CAVEMAN_AGENT',
] as const;
const AGENT_VALUES: readonly string[] = ['amp', 'goose'];
/** Weak: also found in people's terminals; they count only when neither stdin nor stdout is a TTY. */
export const WEAK_MARKERS = ['CLAUDECODE', 'AI_AGENT', 'CURSOR_TRACE_ID'] as const;

/** Set by our hook in what it starts; they must not reach a daemon that outlives it. */
export const HOOK_VARIABLES = ['CAVEMAN_GUARD', 'CAVEMAN_CAPTURE'] as const;

/** A copy of `env` without any marker of an agent and without our hook's own variables. */
export function scrubbedEnv(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const gone = new Set<string>([...STRONG_MARKERS, ...WEAK_MARKERS, ...HOOK_VARIABLES]);
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || gone.has(name)) continue;
    if (name === 'AGENT' && AGENT_VALUES.includes(value)) continue;
    out[name] = value;
  }
  return out;
}
