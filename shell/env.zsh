# What the block in .zshenv sources. It must cost nothing when no agent is there and leave no trace.
{ if [[ -o xtrace ]]; then __cv_trace=1; set +x; fi } 2>/dev/null
# Not under -x or -v, where zsh tells every line of a start-up file, and so would tell them twice. Without aliases.
if [[ -n ${ZSH_EXECUTION_STRING-} && -z ${__cv_trace-} && ! -o verbose && -n ${CAVEMAN_AGENT-}${CLAUDE_CODE_CHILD_SESSION-}${CODEX_THREAD_ID-}${CODEX_CI-}${GEMINI_CLI-}${OPENCODE-}${CURSOR_AGENT-}${GOOSE_TERMINAL-}${CLINE_ACTIVE-}${ROO_ACTIVE-}${COPILOT_CLI-}${QWEN_CODE-}${CLAUDECODE-}${AI_AGENT-}${CURSOR_TRACE_ID-}${(M)${AGENT-}:#(amp|goose)} && -r ${${(%):-%x}%/*}/hook.zsh ]]; then
  if [[ -o aliases ]]; then setopt no_aliases; . "${${(%):-%x}%/*}/hook.zsh"; setopt aliases; else . "${${(%):-%x}%/*}/hook.zsh"; fi
fi
if [[ -n ${__cv_trace-} ]]; then unset __cv_trace; set -x; fi
