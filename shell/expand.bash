# shellcheck shell=bash disable=SC2154,SC2094
# `caveman expand` through the rendezvous, sourced by the launcher: the worker writes into the reply FIFO, `cat` copies
# it. Full handles only; returns whenever Node can do better (prefixes, files, JSON, help, no daemon).

case " $* " in
*' -h '* | *' --help '* | *' -o'* | *' --output'* | *' --json '*) return 0 ;;
esac
__cv_handle=
for __cv_word; do
  if [[ $__cv_word == cv[0-9a-z][0-9a-z][0-9a-z][0-9a-z][0-9a-z][0-9a-z][0-9a-z][0-9a-z]* ]]; then __cv_handle=$__cv_word; fi
done
__cv_dir=/tmp/caveman-$EUID
if [[ -n ${CAVEMAN_HOME-} ]]; then __cv_dir=$CAVEMAN_HOME/run; fi
[[ -n $__cv_handle || -n ${CAVEMAN_CAPTURE-} ]] || return 0
[[ -O $__cv_dir && ! -L $__cv_dir && -p $__cv_dir/tickets && -O $__cv_dir/tickets ]] || return 0
{ exec {__cv_tmp}<>"$__cv_dir/tickets" {__cv_reply}<"$__cv_dir/tickets"; } 2>/dev/null || return 0
exec {__cv_tmp}>&-
IFS= read -r -N 1 -t 0.5 -u "$__cv_reply" __cv_slot || __cv_slot=
exec {__cv_reply}<&-
[[ $__cv_slot == [0-9a-z] && -O $__cv_dir/q$__cv_slot && -O $__cv_dir/p$__cv_slot ]] || return 0
{ exec {__cv_request}<>"$__cv_dir/q$__cv_slot" {__cv_tmp}<>"$__cv_dir/p$__cv_slot" {__cv_reply}<"$__cv_dir/p$__cv_slot"; } 2>/dev/null || return 0
exec {__cv_tmp}>&-
__cv_nonce=$$.$RANDOM.$RANDOM.$RANDOM
__cv_tty=
if [[ -t 1 ]]; then __cv_tty=t; fi
printf 'CV1 %s expand %s\n%s\0%s\0' "$__cv_nonce" "$(($# + 2))" "${CAVEMAN_CAPTURE-}" "$__cv_tty" >&"$__cv_request"
printf '%s\0' "$@" >&"$__cv_request"
IFS=' ' read -r -t 0.5 -u "$__cv_reply" __cv_name __cv_id __cv_base __cv_word || __cv_name=
exec {__cv_reply}<&-
[[ $__cv_name == "$__cv_nonce" && -n $__cv_base ]] || return 0
{ exec {__cv_tmp}<>"$__cv_dir/$__cv_base.r" {__cv_reply}<"$__cv_dir/$__cv_base.r" {__cv_tmp}>&-; } 2>/dev/null || return 0
printf 'OPEN\n' >&"$__cv_request"
while IFS=' ' read -r -t 30 -u "$__cv_reply" __cv_name __cv_word __cv_id; do
  case $__cv_name in
  C)
    # In place of this shell: a fork less before the first byte.
    PATH=/usr/bin:/bin exec cat <&"$__cv_reply"
    ;;
  T)
    # Bytes, not characters. No program has to be started for a short text.
    LC_ALL=C
    IFS= read -r -d '' -N "$__cv_word" -u "$__cv_reply" __cv_tty || return 0
    printf '%s' "$__cv_tty"
    exit
    ;;
  N)
    LC_ALL=C IFS= read -r -N "$__cv_word" -u "$__cv_reply" __cv_tty
    printf 'caveman: %s\n' "$__cv_tty" >&2
    ;;
  X)
    LC_ALL=C IFS= read -r -N "$__cv_id" -u "$__cv_reply" __cv_tty
    # Node knows near misses and prefixes; where it cannot reach the daemon either, this is the answer.
    export CAVEMAN_EXPAND_ERROR=$__cv_tty
    return 0
    ;;
  esac
done
return 0
