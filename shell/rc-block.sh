# shellcheck shell=sh disable=SC2154
# The block that caveman keeps at the top of a shell's start-up file. Sourced by install.sh.
#
# Needs: $product (absolute path of the installed product), $work (a private temporary directory).
# The block stands between two marker lines and is made of whole lines, so taking it out again leaves
# the rest of the file as it was, byte for byte: no final newline, CRLF and NUL bytes included.
# Only sed, head, tail and cat touch the user's bytes, under LC_ALL=C.

rc_start='# >>> caveman >>>'
rc_end='# <<< caveman <<<'
rc_created='# This file was created by caveman.'

# rc_quote TEXT: TEXT as one single-quoted shell word.
rc_quote() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# rc_print SHELL [created]: the block for `bash` or `zsh` on stdout. The bash block is POSIX text behind a
# test for bash, because dash and others read ~/.profile too.
rc_print() {
  rc_bash_env=$(rc_quote "$product/shell/env.bash")
  rc_zsh_env=$(rc_quote "$product/shell/env.zsh")
  rc_open="[ -r $rc_bash_env ]"
  [ "$1" = zsh ] || rc_open="[ -n \"\${BASH_VERSION-}\" ] && $rc_open"
  printf '%s\n' "$rc_start"
  [ "${2-}" != created ] || printf '%s\n' "$rc_created"
  printf '%s\n' "# Captures what coding agents run. Must stay first. Undo: caveman uninstall"
  printf '%s\n' "if $rc_open; then"
  printf '%s\n' "  if [ -n \"\${BASH_ENV-}\" ] && [ \"\${BASH_ENV-}\" != $rc_bash_env ]; then"
  printf '%s\n' "    export CAVEMAN_BASH_ENV=\"\$BASH_ENV\""
  printf '%s\n' "  fi"
  printf '%s\n' "  export BASH_ENV=$rc_bash_env"
  if [ "$1" = zsh ]; then
    printf '%s\n' "fi"
    printf '%s\n' "if [ -r $rc_zsh_env ]; then . $rc_zsh_env; fi"
  else
    # Another spelling of the same path: by it the stub knows that it is not being read as BASH_ENV, and does not
    # go on to an earlier BASH_ENV, which bash itself reads later, or never.
    printf '%s\n' "  . $(rc_quote "$product/shell/./env.bash")"
    printf '%s\n' "fi"
  fi
  printf '%s\n' "$rc_end"
}

# rc_follow FILE: the file behind a link, so that a linked dotfile stays a link.
rc_follow() {
  if [ -L "$1" ]; then
    readlink -f -- "$1" 2>/dev/null || printf '%s\n' "$1"
  else
    printf '%s\n' "$1"
  fi
}

# rc_line FILE PATTERN FROM: number of the first line from FROM on that begins with PATTERN; empty if none.
rc_line() {
  LC_ALL=C sed -n -e "$3,\$ {" -e "/^$2/ {" -e '=' -e 'q' -e '}' -e '}' "$1"
}

# rc_strip FILE OUT: FILE without any block, to OUT. Status 1: a start marker has no end marker.
# Sets rc_found (a block was there) and rc_was_created (it says that caveman made the file).
rc_strip() {
  rc_found='' rc_was_created=''
  cat "$1" >"$2" || return 1
  while :; do
    rc_from=$(rc_line "$2" "$rc_start" 1)
    [ -n "$rc_from" ] || return 0
    rc_to=$(rc_line "$2" "$rc_end" "$rc_from")
    [ -n "$rc_to" ] || return 1
    rc_found=1
    [ -z "$(LC_ALL=C sed -n "$rc_from,$rc_to {/^$rc_created/ p;}" "$2")" ] || rc_was_created=1
    {
      [ "$rc_from" -eq 1 ] || head -n "$((rc_from - 1))" "$2"
      tail -n "+$((rc_to + 1))" "$2"
    } >"$2.next" && mv -f "$2.next" "$2" || return 1
  done
}

# rc_write FILE NEW: FILE gets NEW's bytes and keeps its mode and owner. Written beside and renamed, so that
# a full disk cannot cut a start-up file short; in place where a rename would break a hard link or a mount.
rc_write() {
  if [ ! -e "$1" ]; then
    cat "$2" 2>/dev/null >"$1"
    return
  fi
  [ -w "$1" ] || return 1
  rc_beside="$1.caveman-$$"
  if [ -z "$(find "$1" -prune -links +1)" ] && cp -p "$1" "$rc_beside" 2>/dev/null; then
    if ! cat "$2" >"$rc_beside" 2>/dev/null; then
      rm -f "$rc_beside"
      return 1
    fi
    mv -f "$rc_beside" "$1" 2>/dev/null && return 0
    rm -f "$rc_beside"
  fi
  cat "$1" >"$work/before" || return 1
  cat "$2" >"$1" && return 0
  cat "$work/before" >"$1"
  return 1
}

# rc_put FILE SHELL: the block stands at the top of FILE, once. Status 1: it could not be written, and the
# lines to paste were printed.
rc_put() {
  rc_file=$(rc_follow "$1")
  rc_mark=''
  : >"$work/rest"
  if [ -e "$rc_file" ]; then
    if [ ! -f "$rc_file" ]; then
      printf 'caveman: %s is not a plain file; left alone\n' "$1"
      return 1
    fi
    if ! rc_strip "$rc_file" "$work/rest" 2>/dev/null; then
      if [ -r "$rc_file" ]; then
        printf 'caveman: %s has "%s" without its end line; remove that block by hand, then run this again\n' "$1" "$rc_start"
        return 1
      fi
      rc_paste "$1" "$2"
      return 1
    fi
    [ -z "$rc_was_created" ] || rc_mark=created
  else
    rc_mark=created
  fi
  { rc_print "$2" "$rc_mark" && cat "$work/rest"; } >"$work/new"
  if [ -e "$rc_file" ] && cmp -s "$rc_file" "$work/new"; then
    return 0
  fi
  if ! { rc_write "$rc_file" "$work/new"; } 2>/dev/null; then
    rc_paste "$1" "$2"
    return 1
  fi
}

# rc_paste FILE SHELL: what the user has to do by hand.
rc_paste() {
  printf 'caveman: cannot write %s; put these lines at its top:\n\n' "$1"
  rc_print "$2"
  printf '\n'
}

# rc_remove FILE: FILE as it was before; a file that caveman created and nobody added to is removed.
# Status 1: the block is still there, and one line said so.
rc_remove() {
  rc_file=$(rc_follow "$1")
  [ -f "$rc_file" ] || return 0
  if ! rc_strip "$rc_file" "$work/rest" 2>/dev/null; then
    [ -n "$(rc_line "$rc_file" "$rc_start" 1 2>/dev/null)" ] || return 0
    printf 'caveman: %s has "%s" without its end line; remove that block by hand\n' "$1" "$rc_start"
    return 1
  fi
  [ -n "$rc_found" ] || return 0
  if [ -n "$rc_was_created" ] && [ ! -s "$work/rest" ]; then
    rm -f "$rc_file" 2>/dev/null && return 0
  elif { rc_write "$rc_file" "$work/rest"; } 2>/dev/null; then
    return 0
  fi
  printf 'caveman: cannot write %s; remove the lines from "%s" to "%s" by hand\n' "$1" "$rc_start" "$rc_end"
  return 1
}

# rc_profile HOME: the one profile that a bash login shell reads; ~/.profile when there is none yet.
rc_profile() {
  for rc_file in .bash_profile .bash_login .profile; do
    if [ -e "$1/$rc_file" ] || [ -L "$1/$rc_file" ]; then
      printf '%s\n' "$1/$rc_file"
      return 0
    fi
  done
  printf '%s\n' "$1/.profile"
}
