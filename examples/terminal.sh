# What the scripts of examples/ share: headings, and commands that are shown before they run.
bold='' faint='' normal=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
  bold=$'\033[1m' faint=$'\033[36m' normal=$'\033[0m'
fi

step() { printf '\n%s%s%s\n' "$bold" "$1" "$normal"; }

# try COMMAND: shows a line of shell as one would type it, then runs it. try PROGRAM ARGUMENT...: the same for a program.
try() {
  printf '\n%s$ %s%s\n' "$faint" "$*" "$normal"
  if [ $# -gt 1 ]; then "$@"; else bash -c "$1"; fi || { echo "$(basename "$0"): this step failed (exit code $?): $*" >&2; exit 1; }
}
