# shellcheck shell=sh
# Which coding agents of this user run now. Sourced by install.sh.

# agent_named WORD: WORD's base name, if it is a known agent's program.
agent_named() {
  agent_word=${1##*/}
  agent_word=${agent_word%.js}
  case $agent_word in
  claude | codex | gemini | opencode | goose | cursor-agent | amp | cline | qwen | copilot | roo)
    printf '%s\n' "$agent_word"
    ;;
  esac
}

# agent_of PID: the agent's name if process PID is one. Agents written for Node or Python show the
# interpreter as their name; then the program is the first argument that is no option.
agent_of() {
  agent_words=0
  tr '\0' '\n' <"/proc/$1/cmdline" 2>/dev/null | while IFS= read -r agent_arg; do
    agent_words=$((agent_words + 1))
    if [ "$agent_words" -gt 1 ]; then
      case $agent_arg in -*) continue ;; esac
    fi
    agent_found=$(agent_named "$agent_arg")
    if [ -n "$agent_found" ]; then
      printf '%s\n' "$agent_found"
      break
    fi
    case ${agent_arg##*/} in node* | bun | deno | python*) [ "$agent_words" -eq 1 ] || break ;; *) break ;; esac
  done
}

# agents_stale UID BASH_ENV: one "name (pid N)" line for each running agent of user UID whose environment
# does not yet have BASH_ENV, which it only gets by being started again. Nothing where there is no /proc.
agents_stale() {
  for agent_dir in /proc/[0-9]*; do
    agent_pid=${agent_dir#/proc/}
    agent_uid='' agent_comm=''
    # A process may be gone before it is read.
    {
      while read -r agent_key agent_value _; do
        case $agent_key in
        Name:) agent_comm=$agent_value ;;
        Uid:)
          agent_uid=$agent_value
          break
          ;;
        esac
      done <"$agent_dir/status"
    } 2>/dev/null || continue
    [ "$agent_uid" = "$1" ] || continue
    agent_name=$(agent_named "$agent_comm")
    if [ -z "$agent_name" ]; then
      case $agent_comm in
      node* | MainThread | bun | deno | python*) agent_name=$(agent_of "$agent_pid") ;;
      esac
    fi
    [ -n "$agent_name" ] || continue
    if tr '\0' '\n' 2>/dev/null <"$agent_dir/environ" | grep -qxF "BASH_ENV=$2"; then
      continue
    fi
    printf '%s (pid %s)\n' "$agent_name" "$agent_pid"
  done
}
