#!/bin/sh
# Sets caveman up for this user: build, copy, link, start-up files, daemon, and one real command through each shell.
set -eu

usage() {
  cat <<'TEXT'
usage: ./install.sh [OPTION]

  (none)               set up or upgrade caveman for this user, then run `caveman doctor`
  --uninstall          take it out again; every start-up file is as it was before
  --uninstall --purge  the archive, the logs and the settings go too
  --trial              do all of it in a temporary home, show the result, leave nothing
  --test               set up and run the tests; your home directory is not touched
  --from-built         with any of the above: use the clone's node_modules and dist as they are
  --help               this text

example: ./install.sh && caveman status
TEXT
}

say() { printf '%s\n' "caveman: $*"; }
fail() {
  printf '%s\n' "caveman: $*" >&2
  exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
from_built='' purge='' action=install
for option; do
  case $option in
  --uninstall) action=uninstall ;;
  --purge) purge=1 ;;
  --trial) action=trial ;;
  --test) action=tests ;;
  --from-built) from_built=1 ;;
  --help | -h)
    usage
    exit 0
    ;;
  *)
    usage >&2
    exit 2
    ;;
  esac
done
[ -z "$purge" ] || [ "$action" = uninstall ] || fail "--purge goes with --uninstall"
[ -n "${HOME-}" ] || fail "HOME is not set; set it to your home directory"
[ -r "$here/shell/rc-block.sh" ] || fail "run install.sh from a clone of caveman, not alone"
# shellcheck source=shell/rc-block.sh
. "$here/shell/rc-block.sh"
# shellcheck source=shell/agents.sh
. "$here/shell/agents.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/caveman-install.XXXXXX")
trial_home=''
cleanup() {
  status=$?
  trap - EXIT HUP INT TERM
  if [ -n "$trial_home" ] && [ -x "$trial_home/.local/share/caveman/shell/caveman" ]; then
    "$trial_home/.local/share/caveman/shell/caveman" daemon stop >/dev/null 2>&1 || :
  fi
  rm -rf "$work"
  exit "$status"
}
trap cleanup EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# What commands of ours run is not an agent's: no capture, and no start-up file of the caller's in between.
unset BASH_ENV ENV CAVEMAN_BASH_ENV

check_node() {
  how="install Node 20.19 or newer (nodejs.org, nvm, or your package manager), then run this again"
  command -v node >/dev/null 2>&1 || fail "node was not found; $how"
  found=$(node -p 'process.versions.node' 2>/dev/null) || fail "node does not start; $how"
  major=${found%%.*}
  minor=${found#*.}
  minor=${minor%%.*}
  if [ "$major" -lt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -lt 19 ]; }; then
    fail "node $found is too old; $how"
  fi
  command -v npm >/dev/null 2>&1 || [ -n "$from_built" ] || [ ! -e "$here/stage.mjs" ] ||
    fail "npm was not found; it comes with Node: $how"
}

# The packages, dev ones too: the build needs them. node-pty compiles where it can: against Node's own headers
# when they are there, so that nothing is fetched. Without a compiler its prebuilt twin is used.
install_packages() {
  headers=$(node -p 'require("node:path").resolve(process.execPath, "../..")')
  if [ -z "${npm_config_nodedir-}" ] && [ -e "$headers/include/node/node.h" ]; then
    export npm_config_nodedir="$headers"
  fi
  say "installing packages"
  (cd "$here" && npm ci --no-audit --no-fund --loglevel=error >"$work/npm.log" 2>&1) || {
    tail -n 20 "$work/npm.log" >&2
    fail "npm ci failed (its last lines are above); check the network, then run this again"
  }
}

build() {
  if [ -n "$from_built" ]; then
    [ -e "$here/dist/cli.js" ] || fail "--from-built needs a build; run: npm ci && npm run build"
    return 0
  fi
  install_packages
  say "building"
  (cd "$here" && npm run --silent build) || fail "the build failed; its messages are above"
}

# Where one user's files are. $record lists what install made: `rc FILE` and `dir DIRECTORY` lines.
set_places() {
  product=$HOME/.local/share/caveman
  link=$HOME/.local/bin/caveman
  record=$product/install-record
  # Run from the installed copy there is nothing to build or to copy.
  installed=''
  [ "$here" != "$(CDPATH='' cd -- "$product" 2>/dev/null && pwd -P)" ] || installed=1
  [ -n "$installed" ] || [ -r "$here/stage.mjs" ] || [ "$action" = uninstall ] ||
    fail "run install.sh from a clone of caveman, or set HOME to the home it was installed in"
}

# make_directory DIR: DIR and its parents; those made here are remembered, innermost last.
make_directory() {
  [ ! -d "$1" ] || return 0
  make_directory "$(dirname -- "$1")"
  mkdir -- "$1" || fail "cannot create $1"
  printf 'dir %s\n' "$1" >>"$work/record"
}

# The new product is complete before it takes the old one's place; two renames apart, a missing file is silent.
copy_product() {
  make_directory "$(dirname -- "$product")"
  make_directory "$(dirname -- "$link")"
  stage=$product.new-$$
  old=$product.old-$$
  rm -rf "$stage"
  node "$here/stage.mjs" "$stage" || {
    rm -rf "$stage"
    fail "cannot copy the product to $product; is there room?"
  }
  cp "$work/record" "$stage/install-record"
  if [ -e "$product" ] || [ -L "$product" ]; then
    mv -- "$product" "$old" || fail "cannot move $product aside"
  fi
  mv -- "$stage" "$product" || {
    [ ! -e "$old" ] || mv -- "$old" "$product"
    fail "cannot put the product at $product; what was there is back"
  }
}

link_launcher() {
  if [ -L "$link" ] || [ ! -e "$link" ]; then
    case $(readlink -- "$link" 2>/dev/null || :) in
    '' | */shell/caveman)
      ln -sf "$product/shell/caveman" "$link"
      return 0
      ;;
    esac
  fi
  say "$link is somebody else's file; left alone. Use $product/shell/caveman"
}

# rc_files: one `SHELL FILE` line for each start-up file that gets the block. zsh reads $ZDOTDIR/.zshenv
# when that is exported, so it gets one too; a machine without zsh gets no new .zshenv.
rc_files() {
  zdot=${ZDOTDIR-}
  if command -v zsh >/dev/null 2>&1; then
    # shellcheck disable=SC2016
    [ -n "$zdot" ] || zdot=$(CAVEMAN=off zsh -c 'printf "%s" "${ZDOTDIR-}"' </dev/null 2>/dev/null || :)
    printf 'zsh %s\n' "$HOME/.zshenv"
  elif [ -e "$HOME/.zshenv" ]; then
    printf 'zsh %s\n' "$HOME/.zshenv"
  fi
  case $zdot in
  '' | "$HOME") ;;
  /*) [ ! -d "$zdot" ] || printf 'zsh %s\n' "$zdot/.zshenv" ;;
  esac
  printf 'bash %s\n' "$HOME/.bashrc"
  printf 'bash %s\n' "$(rc_profile "$HOME")"
}

put_blocks() {
  rc_files >"$work/files"
  while read -r shell file; do
    if rc_put "$file" "$shell"; then
      printf 'rc %s\n' "$file" >>"$work/record"
    fi
    # Standing first, the block cannot see what comes after it.
    if LC_ALL=C grep -q '^[[:space:]]*\(export[[:space:]]*\)\{0,1\}BASH_ENV=' "$work/rest"; then
      say "$file sets BASH_ENV itself; put this line at the top of the file that it names: . $(rc_quote "$product/shell/env.bash")"
    fi
  done <"$work/files"
  sort -u "$work/record" >"$work/record.sorted"
  cp "$work/record.sorted" "$record"
}

restart_daemon() {
  "$product/shell/caveman" daemon restart >"$work/daemon.log" 2>&1 || {
    cat "$work/daemon.log" >&2
    say "the daemon did not start; commands run as before. See: caveman doctor"
  }
  # The old daemon has let go of its files.
  rm -rf "$product".old-*
}

last_line() {
  stale=$(agents_stale "$(id -u)" "$product/shell/env.bash" | awk '{printf "%s%s", (NR > 1 ? ", " : ""), $0}')
  if [ -n "$stale" ]; then
    say "restart these agents from a new terminal to have them captured: $stale"
  else
    say "start your agent from a new terminal: it is captured from there on"
  fi
}

set_up() {
  : >"$work/record"
  [ ! -r "$record" ] || cat "$record" >"$work/record"
  [ -n "${CAVEMAN_HOME-}" ] || make_directory "${XDG_STATE_HOME:-$HOME/.local/state}"
  if [ -n "$installed" ]; then
    node -p process.execPath >"$product/dist/node-path"
    make_directory "$(dirname -- "$link")"
  else
    copy_product
  fi
  link_launcher
  put_blocks
  restart_daemon
  say "installed in $product"
  doctor=0
  "$product/shell/caveman" doctor || doctor=$?
  [ "$action" = trial ] || last_line
  return "$doctor"
}

# purge_state: the archive and everything beside it, by the same rules as src/runtime/paths.ts.
purge_state() {
  if [ -n "${CAVEMAN_HOME-}" ]; then
    for part in archive spool logs run config; do
      rm -rf "${CAVEMAN_HOME:?}/$part"
    done
    rmdir -- "$CAVEMAN_HOME" 2>/dev/null || :
    return 0
  fi
  rm -rf "${XDG_STATE_HOME:-$HOME/.local/state}/caveman" "${XDG_CONFIG_HOME:-$HOME/.config}/caveman"
  find "/tmp/caveman-$(id -u)" -prune -type d -user "$(id -u)" -exec rm -rf {} \; 2>/dev/null || :
}

take_out() {
  left=0
  [ ! -x "$product/shell/caveman" ] || "$product/shell/caveman" daemon stop >/dev/null 2>&1 || :
  {
    rc_files | cut -d ' ' -f 2-
    printf '%s\n' "$HOME/.zshenv" "$HOME/.bashrc" "$HOME/.bash_profile" "$HOME/.bash_login" "$HOME/.profile"
    [ ! -r "$record" ] || sed -n 's/^rc //p' "$record"
  } | sort -u >"$work/files"
  while IFS= read -r file; do
    rc_remove "$file" || left=1
  done <"$work/files"
  [ ! -r "$record" ] || sed -n 's/^dir //p' "$record" | sort -r >"$work/directories"
  [ "$(readlink -- "$link" 2>/dev/null || :)" != "$product/shell/caveman" ] || rm -f "$link"
  rm -rf "$product" "$product".old-* "$product".new-*
  [ -z "$purge" ] || purge_state
  if [ -e "$work/directories" ]; then
    while IFS= read -r directory; do
      rmdir -- "$directory" 2>/dev/null || :
    done <"$work/directories"
  fi
  if [ -n "$purge" ]; then
    say "uninstalled, archive removed"
  else
    say "uninstalled; the archive is kept (remove it too: ./install.sh --uninstall --purge)"
  fi
  return "$left"
}

# A whole life in a temporary home: install, doctor, uninstall; what is left over is an error.
trial() {
  build
  unset ZDOTDIR XDG_STATE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
  trial_home=$work/home
  mkdir "$trial_home"
  export HOME="$trial_home" CAVEMAN_HOME="$work/state"
  set_places
  trial_status=0
  set_up || trial_status=$?
  purge=1
  take_out || trial_status=1
  trial_home=''
  rest=$(find "$work/home" "$work/state" -mindepth 1 2>/dev/null | head -n 5)
  [ -z "$rest" ] || fail "the trial left files behind: $rest"
  say "the trial left nothing behind"
  return "$trial_status"
}

# Programs that some tests drive: `command package` pairs.
test_tools='zsh zsh
shellcheck shellcheck
shfmt shfmt
bwrap bubblewrap
python3 python3
strace strace
ps procps'

tests() {
  missing=''
  packages=''
  while read -r program package; do
    command -v "$program" >/dev/null 2>&1 || packages="$packages $package"
  done <<LIST
$test_tools
LIST
  if [ -n "$packages" ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null 2>&1; then
    say "installing test tools:$packages"
    # shellcheck disable=SC2086
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $packages; } \
      >"$work/apt.log" 2>&1 || say "apt-get could not install them all: $(tail -n 1 "$work/apt.log")"
  fi
  while read -r program package; do
    command -v "$program" >/dev/null 2>&1 || missing="$missing $package"
  done <<LIST
$test_tools
LIST
  [ -n "$from_built" ] || install_packages
  set --
  # CI reads the counts from a file.
  [ -z "${CAVEMAN_TEST_REPORT-}" ] ||
    set -- --reporter=default --reporter=json --outputFile.json="$CAVEMAN_TEST_REPORT"
  tests_status=0
  (cd "$here" && npm test -- "$@") || tests_status=$?
  [ -z "$missing" ] || say "left out the tests that need:$missing (install them and run this again)"
  return "$tests_status"
}

set_places
[ "$action" = uninstall ] || check_node
case $action in
install)
  [ -n "$installed" ] || build
  set_up
  ;;
uninstall) take_out ;;
trial) trial ;;
tests) tests ;;
esac
