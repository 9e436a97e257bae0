# What the scripts of examples/ share: headings, and commands that are shown before they run.
bold='' faint='' normal=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ] && [ "${TERM:-dumb}" != dumb ]; then
  bold=$'\033[1m' faint=$'\033[36m' normal=$'\033[0m'
fi

step() { printf '\n%s%s%s\n' "$bold" "$1" "$normal"; }

# What one would type for these words.
typed() {
  local word line=
  for word; do
    case $word in
      '' | *[!A-Za-z0-9_./:=,+@%-]*) line+=" ${word@Q}" ;;
      *) line+=" $word" ;;
    esac
  done
  printf '%s' "${line# }"
}

# try COMMAND: shows a line of shell as one would type it, then runs it. try PROGRAM ARGUMENT...: the same for a program.
try() {
  local line=$1
  if [ $# -gt 1 ]; then line=$(typed "$@"); fi
  printf '\n%s$ %s%s\n' "$faint" "$line" "$normal"
  local code=0
  if [ $# -gt 1 ]; then "$@"; else bash -c "$1"; fi || code=$?
  [ "$code" -eq 0 ] || { echo "$(basename "$0"): this step failed (exit code $code): $line" >&2; exit 1; }
}
