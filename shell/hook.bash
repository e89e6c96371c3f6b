# shellcheck shell=bash disable=SC2154,SC2034,SC2016,SC2206,SC2094,SC1007,SC2030,SC2031
# caveman's capture hook for bash >= 4.4, sourced by env.bash in a shell that an agent started as `bash -c STRING`,
# and by the launcher for `caveman run`. It hands the command's output to the daemon and ends the shell as the
# command ended; whenever anything is not as it should be it returns, and the command runs untouched.
#
# Builtins only on the way of a command. No function, no alias, no here-string (needs a writable directory), no
# output. Every FIFO is opened for both, then for the one direction, then the first is closed: nothing can block, and
# a dead daemon shows as end of file. docs/protocol.md states the lines that pass.

# --- may it be captured? --------------------------------------------------------------------------------------

((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)) || return 0
# Not where an exported function stands in for a builtin that is needed here.
for __cv_name in . break builtin command continue declare exec exit export hash kill mapfile printf read set shopt trap \
  ulimit unset wait; do
  if declare -F "$__cv_name"; then __cv_shadow=1; fi
done >/dev/null 2>&1
[[ -z ${__cv_shadow-} ]] || return 0
if [[ -z ${__cv_run-} ]]; then
  __cv_string=${BASH_EXECUTION_STRING-}
  [[ ${CAVEMAN-} != off && $__cv_string != *CAVEMAN=off* && -z ${caveman_tried-} ]] || return 0
  # -k makes our own arguments environment, -m gives the child another process group, -v would tell the string twice.
  [[ $- != *[ikm]* && ${__cv_set-} != *v* && ${CAVEMAN_HOOK-} != "$PPID" ]] || return 0
  __cv_agent=
  for __cv_name in CAVEMAN_AGENT CLAUDE_CODE_CHILD_SESSION CODEX_THREAD_ID CODEX_CI GEMINI_CLI OPENCODE CURSOR_AGENT \
    GOOSE_TERMINAL CLINE_ACTIVE ROO_ACTIVE COPILOT_CLI QWEN_CODE; do
    if [[ -n ${!__cv_name-} ]]; then
      __cv_agent=$__cv_name
      break
    fi
  done
  if [[ -z $__cv_agent && ${AGENT-} == @(amp|goose) ]]; then __cv_agent=AGENT=$AGENT; fi
  if [[ -z $__cv_agent ]]; then
    # Also set in the terminals of people.
    if [[ -t 0 || -t 1 ]]; then return 0; fi
    for __cv_name in CLAUDECODE AI_AGENT CURSOR_TRACE_ID; do
      if [[ -n ${!__cv_name-} ]]; then
        __cv_agent=$__cv_name
        break
      fi
    done
  fi
  if [[ -z ${CAVEMAN_AGENT-} && (-p /dev/fd/0 || -S /dev/fd/0) ]]; then
    # Somebody's protocol, unless the string has the form in which an agent wraps one command.
    case $__cv_string in
    *"eval '"*'pwd -P >|'* | *'builtin eval "$1"'* | '. '*'; exec '*' -c '* | 'shopt '*'( trap '*' EXIT'*) ;;
    *) return 0 ;;
    esac
  fi
  case $__cv_string in
  *'builtin eval "$1"'*) __cv_argument=${1-} ;;
  *'declare -f'* | *'declare -F'* | *'typeset -f'* | *'alias -p'* | *'export -p'* | *'declare -p'*) return 0 ;;
  *) __cv_argument= ;;
  esac
  # Inside a captured command already? A guard is a session variable and its value, or the agent's process.
  case ${CAVEMAN_GUARD-} in
  '') ;;
  [A-Z]*=*)
    __cv_name=${CAVEMAN_GUARD%%=*}
    if [[ $__cv_name != *[!A-Z0-9_]* && ${!__cv_name-} == "${CAVEMAN_GUARD#*=}" ]]; then return 0; fi
    ;;
  *)
    __cv_name=${CAVEMAN_GUARD%%:*}
    if [[ -n $__cv_name && $__cv_name != *[!0-9]* ]]; then
      if { read -r __cv_line </proc/1/stat; } 2>/dev/null; then
        __cv_stat=(${__cv_line##*) })
        # Another process namespace: its numbers say nothing, and inner output is never touched.
        [[ ${CAVEMAN_GUARD##*:} == "${__cv_stat[19]}" ]] || return 0
        if { read -r __cv_line <"/proc/$__cv_name/stat"; } 2>/dev/null; then
          __cv_stat=(${__cv_line##*) })
          __cv_line=${CAVEMAN_GUARD#*:}
          [[ ${__cv_line%%:*} != "${__cv_stat[19]}" ]] || return 0
        fi
      elif [[ -e /proc/$$ ]] || kill -0 "$__cv_name" 2>/dev/null; then
        # Alive, or others' processes are hidden here.
        return 0
      fi
    fi
    ;;
  esac
  # A login shell meets the hook twice; the second time its profile has run and must not run again.
  caveman_tried=1
fi

# --- rendezvous -------------------------------------------------------------------------------------------------

__cv_dir=/tmp/caveman-$EUID
if [[ -n ${CAVEMAN_HOME-} ]]; then __cv_dir=$CAVEMAN_HOME/run; fi
[[ -O $__cv_dir && ! -L $__cv_dir && -p $__cv_dir/tickets && -O $__cv_dir/tickets ]] || return 0
# What a second shell could not be given as it is: closed descriptors, a directory that is gone (each shell complains),
# SHELLOPTS in the environment (every `set` of ours would change it). In POSIX mode a failing `exec` ends the shell.
[[ -e /dev/fd/0 && -e /dev/fd/1 && -e /dev/fd/2 && . -ef ${PWD-} && ${SHELLOPTS@a} != *x* && ! -o posix ]] || return 0
{ exec {__cv_tmp}<>"$__cv_dir/tickets" {__cv_reply}<"$__cv_dir/tickets"; } 2>/dev/null || return 0
exec {__cv_tmp}>&-
IFS= read -r -N 1 -t "${__cv_patience-0.5}" -u "$__cv_reply" __cv_slot || __cv_slot=
exec {__cv_reply}<&-
[[ $__cv_slot == [0-9a-z] && -O $__cv_dir/q$__cv_slot && -O $__cv_dir/p$__cv_slot ]] || return 0
{ exec {__cv_request}<>"$__cv_dir/q$__cv_slot" {__cv_tmp}<>"$__cv_dir/p$__cv_slot" {__cv_reply}<"$__cv_dir/p$__cv_slot"; } 2>/dev/null || return 0
exec {__cv_tmp}>&-

# The session: a variable that names it, or the agent's process and when it started.
if [[ -z ${__cv_session-} ]]; then
  __cv_session=
  for __cv_name in CODEX_THREAD_ID CLAUDE_CODE_SESSION_ID CLAUDE_SESSION_ID GEMINI_SESSION_ID OPENCODE_SESSION_ID AMP_THREAD_ID; do
    if [[ ${!__cv_name-} == ????????* ]]; then
      __cv_session=$__cv_name=${!__cv_name}
      break
    fi
  done
  if [[ -z $__cv_session ]]; then
    __cv_session=$PPID::
    if { read -r __cv_line <"/proc/$PPID/stat"; } 2>/dev/null; then
      __cv_stat=(${__cv_line##*) })
      __cv_session=$PPID:${__cv_stat[19]}:
      if { read -r __cv_line </proc/1/stat; } 2>/dev/null; then
        __cv_stat=(${__cv_line##*) })
        __cv_session+=${__cv_stat[19]}
      fi
    fi
  fi
fi

__cv_options=${__cv_run_options-}
if [[ /dev/fd/1 -ef /dev/fd/2 ]]; then __cv_options+=m; fi
if [[ -t 1 ]]; then __cv_options+=t; fi
if [[ ${CAVEMAN-} == raw || $__cv_string == *CAVEMAN=raw* ]]; then __cv_options+=r; fi
if hash caveman 2>/dev/null; then __cv_options+=p; fi
case ${CAVEMAN_MODE-} in pty) __cv_options+=P ;; pipe) __cv_options+=F ;; esac
__cv_nonce=$$.$RANDOM.$RANDOM.$RANDOM
# Cut to what one FIFO holds even if every character has four bytes: a hung daemon must not block this write.
printf 'CV1 %s run 7\n%s\0%s\0%s\0%s\0%s\0%s\0%s\0' "$__cv_nonce" "${__cv_string:0:8000}" "${#__cv_string}" \
  "${__cv_argument:0:2000}" "${PWD:0:1000}" "$__cv_agent" "${__cv_session:0:200}" "$__cv_options" >&"$__cv_request"
IFS=' ' read -r -t "${__cv_patience-0.5}" -u "$__cv_reply" __cv_name __cv_id __cv_base __cv_pts __cv_proc __cv_spool || __cv_name=
exec {__cv_reply}<&-
if [[ $__cv_name != "$__cv_nonce" || -z $__cv_spool || ! -p $__cv_dir/$__cv_base.r || ! -p $__cv_dir/$__cv_base.o ]] ||
  ! { exec {__cv_tmp}<>"$__cv_dir/$__cv_base.r" {__cv_reply}<"$__cv_dir/$__cv_base.r" {__cv_tmp}>&- \
    {__cv_tmp}<>"$__cv_dir/$__cv_base.o" {__cv_out}<"$__cv_dir/$__cv_base.o"; } 2>/dev/null; then
  exec {__cv_request}>&-
  return 0
fi
__cv_held=$__cv_tmp
__cv_reply_err= __cv_err=
if [[ $__cv_options != *m* ]]; then
  if ! { exec {__cv_tmp}<>"$__cv_dir/$__cv_base.s" {__cv_reply_err}<"$__cv_dir/$__cv_base.s" {__cv_tmp}>&- \
    {__cv_tmp}<>"$__cv_dir/$__cv_base.e" {__cv_err}<"$__cv_dir/$__cv_base.e" {__cv_tmp}>&-; } 2>/dev/null; then
    exec {__cv_request}>&- {__cv_reply}<&- {__cv_held}>&- {__cv_out}<&-
    return 0
  fi
fi

# --- the command ------------------------------------------------------------------------------------------------

set +eu
__cv_signal=
__cv_child=
trap '__cv_signal=TERM; if [[ -n $__cv_child ]]; then kill -TERM "$__cv_child"; fi 2>/dev/null' TERM
trap '__cv_signal=HUP; if [[ -n $__cv_child ]]; then kill -HUP "$__cv_child"; fi 2>/dev/null' HUP
trap '__cv_signal=INT' INT
# From here on, what bash says about a signal goes to the daemon: only then does it certainly know that it was one. It
# may be said at any command after the child's death, not only at `wait`.
exec {__cv_tmp}>&2 2>&"$__cv_request"
# In the background, because bash holds its traps back while a foreground child runs.
(
  trap - TERM HUP INT QUIT
  exec 2>&"$__cv_tmp" {__cv_tmp}>&- {__cv_request}>&- {__cv_reply}<&- {__cv_out}<&-
  if [[ -n $__cv_err ]]; then exec {__cv_reply_err}<&- {__cv_err}<&-; fi
  if [[ $__cv_options == *t* ]]; then __cv_size=$(command -p stty size <&1); fi 2>/dev/null
  # The very device that the daemon holds, else it is a stranger's terminal in another namespace.
  if [[ $__cv_pts != - && $__cv_pts -ef $__cv_proc ]] && { exec >|"$__cv_pts"; } 2>/dev/null; then
    if [[ $__cv_options != *t* ]]; then
      for __cv_name in PAGER GIT_PAGER GH_PAGER MANPAGER SYSTEMD_PAGER; do
        if [[ -z ${!__cv_name+x} ]]; then export "$__cv_name=cat"; fi
      done
      if [[ -z ${GIT_TERMINAL_PROMPT+x} ]]; then export GIT_TERMINAL_PROMPT=0; fi
      # bash gives itself a TERM that no program sees.
      if [[ ${TERM@a} != *x* ]]; then export TERM=dumb; fi
      if [[ -z ${NO_COLOR+x} && -z ${FORCE_COLOR-} ]]; then export NO_COLOR=1; fi
    elif [[ $__cv_size == *' '* ]]; then
      command -p stty rows "${__cv_size% *}" cols "${__cv_size#* }" <&1
    fi
  elif ! { [[ -p $__cv_dir/$__cv_base.o ]] && exec >|"$__cv_dir/$__cv_base.o"; } 2>/dev/null; then
    # The names went when the daemon did; what we hold leads to the same FIFO, which the pump then reads.
    exec >&"$__cv_held"
  fi
  exec {__cv_held}>&-
  if [[ $__cv_options == *m* || ! -p $__cv_dir/$__cv_base.e ]]; then exec 2>&1; else exec 2>|"$__cv_dir/$__cv_base.e"; fi
  export CAVEMAN_GUARD=$__cv_session CAVEMAN_CAPTURE=$__cv_id CAVEMAN_HOOK=$$
  if [[ -n ${__cv_run-} ]]; then exec "${__cv_command[@]}"; fi
  export SHLVL=$((SHLVL - 1))
  # The exact words that started this shell, where the kernel tells them; long ones are read byte by byte there.
  __cv_argv=()
  if ((${#__cv_string} < 20000)); then mapfile -d '' -t __cv_argv <"/proc/$$/cmdline"; fi 2>/dev/null
  if ((${#__cv_argv[@]} > 2)); then exec -a "${__cv_argv[0]}" "$BASH" "${__cv_argv[@]:1}"; fi
  __cv_argv=()
  for __cv_name in ${SHELLOPTS//:/ }; do
    case $__cv_name in
    braceexpand | hashall | interactive-comments) ;;
    *) __cv_argv+=(-o "$__cv_name") ;;
    esac
  done
  case $__cv_set in *e*) __cv_argv+=(-e) ;; esac
  case $__cv_set in *u*) __cv_argv+=(-u) ;; esac
  case $__cv_set in *x*) __cv_argv+=(-x) ;; esac
  case $__cv_set in *v*) __cv_argv+=(-v) ;; esac
  case $__cv_set in *a*) __cv_argv+=(-a) ;; esac
  for __cv_name in ${BASHOPTS//:/ }; do
    case $__cv_name in
    login_shell) __cv_argv+=(-l) ;;
    restricted_shell) ;;
    *) __cv_argv+=(-O "$__cv_name") ;;
    esac
  done
  exec "$BASH" "${__cv_argv[@]}" -c "$__cv_string" "$0" "$@"
) <&0 &
__cv_child=$!
# A signal that came before there was a child to send it to.
if [[ $__cv_signal == @(TERM|HUP) ]]; then kill "-$__cv_signal" "$__cv_child" 2>/dev/null; fi
exec {__cv_held}>&-

# --- the pump ---------------------------------------------------------------------------------------------------

# Copies the reply to what the caller gave, and obeys the daemon's header lines. Without an answer for three seconds
# after the end, or when the daemon is gone, it prints what the spool and the capture FIFOs hold.
(
  trap '' TERM INT HUP
  exec {__cv_request}>&- 2>/dev/null
  __cv_silent=0 __cv_code=0 __cv_note= __cv_done= __cv_cat= __cv_text=
  while [[ -z $__cv_done ]] && ((__cv_silent < 3)); do
    IFS= read -r -t 1 -u "$__cv_reply" __cv_line
    __cv_status=$?
    # On a busy machine the time may be over in the middle of a line: what was read of it is not lost.
    __cv_text+=$__cv_line
    if ((__cv_status > 128)); then
      if [[ -n $__cv_line ]]; then
        __cv_silent=0
      elif ! kill -0 "$__cv_child"; then
        ((__cv_silent++))
      fi
      continue
    fi
    ((__cv_status == 0)) || break
    __cv_silent=0
    __cv_name=${__cv_text%% *} __cv_line=${__cv_text#* } __cv_text=
    case $__cv_name in
    T | U | N)
      # Bytes, not characters.
      LC_ALL=C
      IFS= read -r -d '' -N "$__cv_line" -u "$__cv_reply" __cv_text || break
      case $__cv_name in
      T) printf '%s' "$__cv_text" && __cv_out= ;;
      U) printf '%s' "$__cv_text" >&"$__cv_tmp" && __cv_err= ;;
      N) __cv_note=$__cv_text ;;
      esac
      __cv_text=
      ;;
    C)
      command -p cat <&"$__cv_reply"
      __cv_done=1
      ;;
    D)
      command -p cat <&"$__cv_reply_err" >&"$__cv_tmp" &
      __cv_cat=$! __cv_err=
      ;;
    E) __cv_done=1 ;;
    G) __cv_code=9 ;;
    K) kill -KILL "$__cv_child" ;;
    esac
  done
  if [[ -n $__cv_cat ]]; then wait "$__cv_cat"; fi
  if [[ -n $__cv_note ]]; then printf '%s\n' "$__cv_note" >&"$__cv_tmp"; fi
  if [[ -n $__cv_done ]]; then exit "$__cv_code"; fi
  # A daemon that was only slow sees that nobody listens. Both files are held before the next one takes them in.
  exec {__cv_reply}<&-
  __cv_spooled= __cv_spooled_err=
  {
    exec {__cv_spooled}<"$__cv_spool.o"
    exec {__cv_spooled_err}<"$__cv_spool.e"
  } 2>/dev/null
  if [[ -n $__cv_err && -n $__cv_spooled_err ]]; then command -p cat <&"$__cv_spooled_err" >&"$__cv_tmp"; fi
  if [[ -n $__cv_out && -n $__cv_spooled ]]; then command -p cat <&"$__cv_spooled"; fi
  # No end may come: a daemon that hangs, or a background child, holds the FIFOs open. While the command runs, what
  # comes is copied; behind its end, until nothing more comes for a while (a holder may still have some), at most 64
  # FIFOs full. LC_ALL for the words of dd, which tell the end of file.
  __cv_hung=$((__cv_silent == 3)) __cv_silent=0 __cv_code=0
  exec {__cv_reply}>&1
  while [[ -n $__cv_out$__cv_err ]] && ((__cv_silent < 3 && __cv_code < 64)); do
    if kill -0 "$__cv_child"; then __cv_silent=0 __cv_code=0; else ((__cv_silent++)); fi
    __cv_text=
    if [[ -n $__cv_err ]] && read -r -t 0 -u "$__cv_err"; then
      __cv_text=$(LC_ALL=C command -p dd bs=65536 count=1 <&"$__cv_err" 2>&1 >&"$__cv_tmp")
      if [[ $__cv_text == 0+0* ]]; then __cv_err=; fi
    fi
    if [[ -n $__cv_out ]] && read -r -t 0 -u "$__cv_out"; then
      __cv_text=$(LC_ALL=C command -p dd bs=65536 count=1 <&"$__cv_out" 2>&1 >&"$__cv_reply")
      if [[ $__cv_text == 0+0* ]]; then __cv_out=; fi
    fi
    if [[ -n $__cv_text ]]; then
      __cv_silent=0
      ((__cv_code++))
    else
      command -p sleep 0.1
    fi
  done
  # Without a reader the next line of a background child would be its death.
  exec >/dev/null {__cv_tmp}>&- {__cv_reply}>&-
  if ((__cv_hung == 0)); then
    if [[ -n $__cv_err ]]; then command -p cat <&"$__cv_err" & fi
    if [[ -n $__cv_out ]]; then command -p cat <&"$__cv_out" & fi
  fi
  exit 0
) </dev/null &
__cv_pump=$!
exec {__cv_reply}<&-
if [[ -n $__cv_err ]]; then exec {__cv_reply_err}<&-; fi

# --- the end ----------------------------------------------------------------------------------------------------

# A trap interrupts `wait`. Never wait again for a child that is gone: bash may have lost its status by then, and blocks
# until any other child ends; 128+n of the signal is reported instead.
while :; do
  wait "$__cv_child"
  __cv_status=$?
  kill -0 "$__cv_child" 2>/dev/null || break
done
printf '\nEXIT %s\n' "$__cv_status" >&"$__cv_request"
{
  while :; do
    wait "$__cv_pump"
    __cv_code=$?
    kill -0 "$__cv_pump" || break
  done
} 2>/dev/null
if ((__cv_code == 9)); then __cv_signal=$((__cv_status - 128)); fi
if [[ -n $__cv_signal && -z ${__cv_run-} ]] && ((__cv_status > 128)); then
  ulimit -c 0
  trap - "$__cv_signal"
  kill -"$__cv_signal" $$
fi
# `exit` in a login shell would read ~/.bash_logout, which is the command's business and was done there: a home in
# which nobody can put one.
HOME=/proc
exit "$__cv_status"
