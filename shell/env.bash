# shellcheck shell=bash disable=SC1090,SC1091
# What BASH_ENV names, and what the block in the start-up files sources. It must cost nothing when no agent is there
# and leave no trace: tracing off before anything is done, no variable left, an earlier BASH_ENV still read.
{ __cv_set=$- && set +axv; } 2>/dev/null
if [[ -n ${BASH_EXECUTION_STRING-} && (-n ${CAVEMAN_AGENT-}${CLAUDE_CODE_CHILD_SESSION-}${CODEX_THREAD_ID-}${CODEX_CI-}${GEMINI_CLI-}${OPENCODE-}${CURSOR_AGENT-}${GOOSE_TERMINAL-}${CLINE_ACTIVE-}${ROO_ACTIVE-}${COPILOT_CLI-}${QWEN_CODE-}${CLAUDECODE-}${AI_AGENT-}${CURSOR_TRACE_ID-} || ${AGENT-} == @(amp|goose)) ]]; then
  if [[ -r ${BASH_SOURCE[0]%/*}/hook.bash ]]; then . "${BASH_SOURCE[0]%/*}/hook.bash"; fi
fi
if [[ -n ${CAVEMAN_BASH_ENV-} && -r ${CAVEMAN_BASH_ENV-} && ${BASH_SOURCE[0]} == "${BASH_ENV-}" ]]; then . "$CAVEMAN_BASH_ENV"; fi
case $__cv_set in
*a*x* | *x*a*) unset "${!__cv_@}" && set -ax ;;
*x*) unset "${!__cv_@}" && set -x ;;
*a*) unset "${!__cv_@}" && set -a ;;
*) unset "${!__cv_@}" ;;
esac
