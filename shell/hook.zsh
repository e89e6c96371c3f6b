# caveman's capture hook for zsh >= 5.8, sourced by env.zsh in a shell that an agent started as `zsh -c STRING`.
# The same steps as hook.bash, which tells the reasons; what differs is said here. An anonymous function keeps
# variables and options to itself, and nothing of it stays behind.

() {
  emulate -L zsh
  setopt no_unset no_bg_nice no_multi_os no_aliases
  local agent= argument= name line session string=${ZSH_EXECUTION_STRING-} dir=/tmp/caveman-$EUID
  local -a stat_fields
  local options_word= slot= nonce= answer= id= base= pts= proc= spool= size=
  local -a ignored
  local -i mask=0
  local -i tmp=0 request=0 reply=0 out=0 held=0 reply_err=0 err=0 child=0 pump=0 copier=0 status_code=0 silent=0 wanted=0 spooled=0 spooled_err=0
  local signal= trapped= header= body= done_word=

  # --- may it be captured? ---

  [[ ${CAVEMAN-} != off && $string != *CAVEMAN=off* && ! -o interactive && ! -o monitor ]] || return 0
  [[ ${CAVEMAN_HOOK-} != $PPID ]] || return 0
  for name in CAVEMAN_AGENT CLAUDE_CODE_CHILD_SESSION CODEX_THREAD_ID CODEX_CI GEMINI_CLI OPENCODE CURSOR_AGENT \
    GOOSE_TERMINAL CLINE_ACTIVE ROO_ACTIVE COPILOT_CLI QWEN_CODE; do
    if [[ -n ${(P)name-} ]]; then agent=$name; break; fi
  done
  if [[ -z $agent && ${AGENT-} == (amp|goose) ]]; then agent=AGENT=$AGENT; fi
  if [[ -z $agent ]]; then
    if [[ -t 0 || -t 1 ]]; then return 0; fi
    for name in CLAUDECODE AI_AGENT CURSOR_TRACE_ID; do
      if [[ -n ${(P)name-} ]]; then agent=$name; break; fi
    done
  fi
  if [[ -z ${CAVEMAN_AGENT-} && ( -p /dev/fd/0 || -S /dev/fd/0 ) ]]; then
    case $string in
    *"eval '"*'pwd -P >|'*|*'builtin eval "$1"'*|'. '*'; exec '*' -c '*|'shopt '*'( trap '*' EXIT'*) ;;
    *) return 0 ;;
    esac
  fi
  case $string in
  *'builtin eval "$1"'*) argument=${1-} ;;
  *'declare -f'*|*'declare -F'*|*'typeset -f'*|*'alias -p'*|*'alias -L'*|*'export -p'*|*'declare -p'*|*'typeset -p'*) return 0 ;;
  esac
  case ${CAVEMAN_GUARD-} in
  '') ;;
  [A-Z]*=*)
    name=${CAVEMAN_GUARD%%=*}
    if [[ $name != *[^A-Z0-9_]* && ${(P)name-} == "${CAVEMAN_GUARD#*=}" ]]; then return 0; fi
    ;;
  *)
    name=${CAVEMAN_GUARD%%:*}
    if [[ -n $name && $name != *[^0-9]* ]]; then
      if { read -r line </proc/1/stat } 2>/dev/null; then
        stat_fields=(${=line##*\) })
        [[ ${CAVEMAN_GUARD##*:} == $stat_fields[20] ]] || return 0
        if { read -r line <"/proc/$name/stat" } 2>/dev/null; then
          stat_fields=(${=line##*\) })
          line=${CAVEMAN_GUARD#*:}
          [[ ${line%%:*} != $stat_fields[20] ]] || return 0
        fi
      elif [[ -e /proc/$$ ]] || kill -0 $name 2>/dev/null; then
        return 0
      fi
    fi
    ;;
  esac

  # --- rendezvous ---

  if [[ -n ${CAVEMAN_HOME-} ]]; then dir=$CAVEMAN_HOME/run; fi
  [[ -O $dir && ! -L $dir && -p $dir/tickets && -O $dir/tickets ]] || return 0
  [[ -e /dev/fd/0 && -e /dev/fd/1 && -e /dev/fd/2 && . -ef $PWD ]] || return 0
  zmodload zsh/system 2>/dev/null || return 0
  sysopen -rw -o cloexec -u tmp $dir/tickets 2>/dev/null || return 0
  if ! sysopen -r -o cloexec -u reply $dir/tickets 2>/dev/null; then exec {tmp}>&-; return 0; fi
  exec {tmp}>&-
  sysread -t 0.5 -s 1 -i $reply slot || slot=
  exec {reply}>&-
  [[ $slot == [0-9a-z] && -O $dir/q$slot && -O $dir/p$slot ]] || return 0
  sysopen -rw -o cloexec -u request $dir/q$slot 2>/dev/null || return 0
  if ! { sysopen -rw -o cloexec -u tmp $dir/p$slot && sysopen -r -o cloexec -u reply $dir/p$slot } 2>/dev/null; then
    exec {request}>&-
    return 0
  fi
  exec {tmp}>&-
  session=
  for name in CODEX_THREAD_ID CLAUDE_CODE_SESSION_ID CLAUDE_SESSION_ID GEMINI_SESSION_ID OPENCODE_SESSION_ID AMP_THREAD_ID; do
    if [[ ${(P)name-} == ????????* ]]; then session=$name=${(P)name}; break; fi
  done
  if [[ -z $session ]]; then
    session=$PPID::
    if { read -r line <"/proc/$PPID/stat" } 2>/dev/null; then
      stat_fields=(${=line##*\) })
      session=$PPID:$stat_fields[20]:
      if { read -r line </proc/1/stat } 2>/dev/null; then
        stat_fields=(${=line##*\) })
        session+=$stat_fields[20]
      fi
    fi
  fi
  if [[ /dev/fd/1 -ef /dev/fd/2 ]]; then options_word+=m; fi
  if [[ -t 1 ]]; then options_word+=t; fi
  if [[ ${CAVEMAN-} == raw || $string == *CAVEMAN=raw* ]]; then options_word+=r; fi
  if whence -p caveman >/dev/null; then options_word+=p; fi
  case ${CAVEMAN_MODE-} in pty) options_word+=P ;; pipe) options_word+=F ;; esac
  nonce=$$.$RANDOM.$RANDOM.$RANDOM
  printf 'CV1 %s run 7\n%s\0%s\0%s\0%s\0%s\0%s\0%s\0' $nonce "${string[1,8000]}" ${#string} "${argument[1,2000]}" \
    "${PWD[1,1000]}" "$agent" "${session[1,200]}" "$options_word" >&$request
  sysread -t 0.5 -i $reply answer || answer=
  exec {reply}>&-
  if [[ $answer == "$nonce "*$'\n' ]]; then
    answer=${answer%$'\n'}
    answer=${answer#* }
    id=${answer%% *} answer=${answer#* }
    base=${answer%% *} answer=${answer#* }
    pts=${answer%% *} answer=${answer#* }
    proc=${answer%% *} spool=${answer#* }
  fi
  if [[ -z $spool || $spool == - || ! -p $dir/$base.r || ! -p $dir/$base.o ]] || ! { sysopen -rw -o cloexec -u tmp $dir/$base.r &&
    sysopen -r -o cloexec -u reply $dir/$base.r && exec {tmp}>&- &&
    sysopen -rw -o cloexec -u held $dir/$base.o && sysopen -r -o cloexec -u out $dir/$base.o } 2>/dev/null; then
    exec {request}>&-
    return 0
  fi
  if [[ $options_word != *m* ]] && ! { sysopen -rw -o cloexec -u tmp $dir/$base.s &&
    sysopen -r -o cloexec -u reply_err $dir/$base.s && exec {tmp}>&- &&
    sysopen -rw -o cloexec -u tmp $dir/$base.e && sysopen -r -o cloexec -u err $dir/$base.e && exec {tmp}>&- } 2>/dev/null
  then
    exec {request}>&- {reply}>&- {held}>&- {out}>&-
    return 0
  fi

  # --- the command ---

  # What the caller ignores: a subshell of zsh takes it up again.
  if [[ -r /proc/$$/status ]]; then
    line=${${(M)${(f)"$(</proc/$$/status)"}:#SigIgn:*}##*[[:space:]]}
    mask=$(( 16#${line[-8,-1]} ))
    # zsh ignores QUIT itself; whoever has it ignored from outside (`&` in a script) has INT so too.
    if (( ! (mask & 2) )); then mask=$(( mask & ~4 )); fi
    for name in {1..31}; do
      if (( mask >> (name - 1) & 1 )); then ignored+=(${signals[name + 1]}); fi
    done
  fi
  # zsh runs a trap during `wait`, which then ends.
  trap 'signal=TERM; trapped=1; kill -TERM $child' TERM
  trap 'signal=HUP; trapped=1; kill -HUP $child' HUP
  trap 'signal=INT; trapped=1' INT
  (
    # zsh ignores INT and QUIT in background jobs.
    trap - TERM HUP INT QUIT
    if (( $#ignored )); then trap '' $ignored; fi
    if [[ $options_word == *t* ]]; then size=$(command -p stty size <&1 2>/dev/null); fi
    if [[ $pts != - && $pts -ef $proc ]] && { exec >|$pts } 2>/dev/null; then
      if [[ $options_word != *t* ]]; then
        for name in PAGER GIT_PAGER GH_PAGER MANPAGER SYSTEMD_PAGER; do
          if (( ! ${(P)+name} )); then export $name=cat; fi
        done
        if (( ! ${+GIT_TERMINAL_PROMPT} )); then export GIT_TERMINAL_PROMPT=0; fi
        if (( ! ${+TERM} )); then export TERM=dumb; fi
        if (( ! ${+NO_COLOR} )) && [[ -z ${FORCE_COLOR-} ]]; then export NO_COLOR=1; fi
      elif [[ $size == *' '* ]]; then
        command -p stty rows ${size% *} cols ${size#* } <&1
      fi
    elif ! { [[ -p $dir/$base.o ]] && exec >|$dir/$base.o } 2>/dev/null; then
      exec >&$held
    fi
    if [[ $options_word == *m* || ! -p $dir/$base.e ]]; then exec 2>&1; else exec 2>|$dir/$base.e; fi
    export CAVEMAN_GUARD=$session CAVEMAN_CAPTURE=$id CAVEMAN_HOOK=$$ SHLVL=$((SHLVL - 1))
    # Exact words as the kernel tells them. $0 of this file is not the caller's.
    if [[ -r /proc/$$/cmdline ]]; then
      stat_fields=("${(@0)$(</proc/$$/cmdline)}")
      # The last NUL ends the last word; it does not begin another.
      if [[ -z $stat_fields[-1] ]]; then stat_fields[-1]=(); fi
      if (( $#stat_fields > 2 )); then ARGV0=$stat_fields[1] exec /proc/self/exe "${(@)stat_fields[2,-1]}"; fi
    fi
    stat_fields=()
    if [[ -o login ]]; then stat_fields+=(-l); fi
    ARGV0=zsh exec zsh $stat_fields -c "$string" "$ZSH_ARGZERO" "$@"
  ) <&0 &
  child=$!
  exec {held}>&-

  # --- the pump ---

  (
    trap '' TERM INT HUP
    setopt no_multibyte
    exec {request}>&- {tmp}>&2 2>/dev/null
    header=
    while [[ -z $done_word ]] && (( silent < 3 )); do
      if [[ $header != *$'\n'* ]]; then
        sysread -t 1 -i $reply body
        case $? in
        0) header+=$body silent=0 ;;
        4)
          if ! kill -0 $child; then (( ++silent )); fi
          ;;
        *) break ;;
        esac
        continue
      fi
      line=${header%%$'\n'*} header=${header#*$'\n'}
      case $line in
      (T|U)' '*)
        wanted=${line#? }
        while (( $#header < wanted )) && sysread -i $reply body; do header+=$body; done
        (( $#header >= wanted )) || break
        body=${header[1,wanted]} header=${header[wanted+1,-1]}
        if [[ $line == T* ]]; then syswrite -o 1 -- "$body" && out=0; else syswrite -o $tmp -- "$body" && err=0; fi
        ;;
      C)
        syswrite -o 1 -- "$header"
        while sysread -s 65536 -i $reply -o 1; do :; done
        done_word=1
        ;;
      D)
        ( while sysread -s 65536 -i $reply_err -o $tmp; do :; done ) &
        copier=$! err=0
        ;;
      E) done_word=1 ;;
      K) kill -KILL $child ;;
      esac
    done
    if (( copier )); then wait $copier; fi
    if [[ -n $done_word ]]; then exit 0; fi
    exec {reply}>&-
    wanted=$silent silent=0 copier=0
    { sysopen -r -u spooled $spool.o; sysopen -r -u spooled_err $spool.e } 2>/dev/null
    if (( err && spooled_err )); then command -p cat <&$spooled_err >&$tmp; fi
    if (( out && spooled )); then command -p cat <&$spooled; fi
    # No end may come: a daemon that hangs, or a background child, holds the FIFOs open. `copier` counts what was
    # copied since the command's end.
    while (( (out || err) && silent < 3 && copier < 64 )); do
      if kill -0 $child 2>/dev/null; then silent=0 copier=0; else (( ++silent )); fi
      if (( err )); then
        sysread -t 0.1 -s 65536 -i $err -o $tmp
        case $? in 0) silent=0; (( ++copier )) ;; 4) ;; *) err=0 ;; esac
      fi
      if (( out )); then
        sysread -t 0.1 -s 65536 -i $out -o 1
        case $? in 0) silent=0; (( ++copier )) ;; 4) ;; *) out=0 ;; esac
      fi
    done
    # Without a reader the next line of a background child would be its death.
    exec {tmp}>&- >/dev/null 2>&1
    if (( wanted < 3 )); then
      if (( err )); then command -p cat <&$err & fi
      if (( out )); then command -p cat <&$out & fi
    fi
    exit 0
  ) </dev/null &
  pump=$!
  exec {reply}>&-

  # --- the end ---

  {
    while :; do
      trapped=
      wait $child
      status_code=$?
      [[ -n $trapped ]] || break
    done
  } 2>/dev/null
  printf '\nEXIT %s\n' $status_code >&$request
  {
    while :; do
      wait $pump
      kill -0 $pump || break
    done
  } 2>/dev/null
  if [[ -n $signal ]] && (( status_code > 128 )); then
    trap - $signal
    kill -$signal $$
  fi
  # .zlogout is the command's business and was done there.
  setopt no_rcs
  exit $status_code
} "$@"
