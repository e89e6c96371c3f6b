{ __cv_set=$- && set +axv; } 2>/dev/null
# What BASH_ENV names, and the block in the start-up files. It must cost nothing where no agent is and leave no trace:
# tracing off first (-v shows every line until then), no variable left, an earlier BASH_ENV still read.
if [[ -n ${BASH_EXECUTION_STRING-} && (-n ${CAVEMAN_AGENT-}${CLAUDE_CODE_CHILD_SESSION-}${CODEX_THREAD_ID-}${CODEX_CI-}${GEMINI_CLI-}${OPENCODE-}${CURSOR_AGENT-}${GOOSE_TERMINAL-}${CLINE_ACTIVE-}${ROO_ACTIVE-}${COPILOT_CLI-}${QWEN_CODE-}${CLAUDECODE-}${AI_AGENT-}${CURSOR_TRACE_ID-} || ${AGENT-} == @(amp|goose)) ]]; then
  # shellcheck disable=SC1091
  if [[ -r ${BASH_SOURCE[0]%/*}/hook.bash ]]; then . "${BASH_SOURCE[0]%/*}/hook.bash"; fi
fi
# shellcheck disable=SC1090
if [[ -n ${CAVEMAN_BASH_ENV-} && -r ${CAVEMAN_BASH_ENV-} && ${BASH_SOURCE[0]} == "${BASH_ENV-}" ]]; then . "$CAVEMAN_BASH_ENV"; fi
{
  [[ $__cv_set != *v* ]] || set -v
  case $__cv_set in
  *a*x* | *x*a*) unset "${!__cv_@}" && set -ax ;;
  *x*) unset "${!__cv_@}" && set -x ;;
  *a*) unset "${!__cv_@}" && set -a ;;
  *) unset "${!__cv_@}" ;;
  esac
}
