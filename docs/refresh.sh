#!/usr/bin/env bash
# Fills the blocks of README.md and docs/*.md from the sources and the programs, so that no page retypes
# what the code says. Needs a build (./run build). A block is between its marker and <!-- end -->:
#
#   <!-- code: PATH :: FIRST -->          from the first line that contains FIRST, with the /// lines
#                                         above it, to the first line that starts with } (or, where no
#                                         brace opens, that ends with ;)
#   <!-- code: PATH :: FIRST .. LAST -->  the same, to the first line that contains LAST
#   <!-- run: COMMAND -->                 the command and what it really prints
#   <!-- measured: COMMAND -->            the same for figures that differ from run to run: not checked
#
# What a command writes to build/demo goes to a folder of this script's own instead, so that the pictures of a reader stay as they are;
# docs/pictures/x.svg and .png are copies of what lies there then.
#
# usage: docs/refresh.sh [--check]
#   --check   changes nothing; names what is stale, also pictures that no page shows, and exits 1 if anything is
set -euo pipefail
cd "$(dirname "$0")/.."

check=false
case "${1:-}" in
  --check) check=true ;;
  '') ;;
  *) sed -n '/^# usage/,/^#   --check/s/^# //p' docs/refresh.sh >&2; exit 2 ;;
esac
[ -x build/regard ] || { echo "docs/refresh.sh: no build/regard; do ./run build first" >&2; exit 2; }

# Same text on every machine: 80 columns, UTF-8, no colour.
export LC_ALL=C.UTF-8 COLUMNS=80 NO_COLOR=1
unset REGARD_THREADS REGARD_ISA

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# found WHAT: names what was stale.
found() {
  $check && echo "stale: $1" >&2 || echo "brought up to date: $1" >&2
  echo "$1" >>"$scratch/stale"
}

# code "PATH :: FIRST[ .. LAST]": the piece of source, fenced.
code() {
  local path=${1%% :: *} from=${1#* :: } to=''
  [[ $from == *' .. '* ]] && { to=${from##* .. } from=${from% .. *}; }
  case $path in *.py) echo '```python' ;; *) echo '```cpp' ;; esac
  FROM=$from TO=$to awk '
    !inside && /^ *\/\/\// { comment = comment $0 "\n"; next }
    !inside && index($0, ENVIRON["FROM"]) { inside = 1; printf "%s", comment }
    !inside { comment = ""; next }
    { print; if (/\{/) opened = 1 }
    ENVIRON["TO"] != "" { if (index($0, ENVIRON["TO"])) { done = 1; exit } next }
    /^}/ || (!opened && /;$/) { done = 1; exit }
    END { exit !done }' "$path" || { echo "docs/refresh.sh: $path: no piece '$from'" >&2; return 1; }
  echo '```'
}

# output COMMAND: the command as typed and what it prints, fenced.
output() {
  echo '```console'
  echo "\$ $1"
  bash -o pipefail -c "${1//build\/demo/$scratch/demo}" </dev/null >"$scratch/said" 2>&1 || { echo "docs/refresh.sh: failed: $1" >&2; return 1; }
  sed "s#$scratch/demo#build/demo#g" "$scratch/said"
  echo '```'
}

# fill PAGE: prints the page with every block as it should be; names blocks that are not.
fill() {
  local page=$1 number=0 kind='' argument='' begun=0 line
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    if [ -n "$kind" ]; then
      if [ "$line" != '<!-- end -->' ]; then
        echo "$line" >>"$scratch/old"
        continue
      fi
      if $check && [ "$kind" = measured ]; then
        cp "$scratch/old" "$scratch/new"
      elif [ "$kind" = code ]; then
        code "$argument" >"$scratch/new"
      else
        output "$argument" >"$scratch/new"
      fi
      cat "$scratch/new"
      if ! cmp -s "$scratch/old" "$scratch/new"; then
        found "$page:$begun: $kind: $argument"
        ! $check || { diff "$scratch/old" "$scratch/new" || true; } | sed 's/^/    /' >&2
      fi
      kind=''
    elif [[ $line =~ ^'<!-- '(code|run|measured)': '(.*)' -->'$ ]]; then
      kind=${BASH_REMATCH[1]} argument=${BASH_REMATCH[2]} begun=$number
      : >"$scratch/old"
    fi
    echo "$line"
  done <"$page"
  [ -z "$kind" ] || { echo "docs/refresh.sh: $page:$begun: no <!-- end -->" >&2; return 1; }
}

# refresh_picture FILE: the copy follows what a command of this run has drawn.
refresh_picture() {
  local copy=$1 drawn
  drawn=$scratch/demo/$(basename "$1")
  if [ -f "$drawn" ] && ! cmp -s "$drawn" "$copy"; then
    found "$copy"
    $check || cp "$drawn" "$copy"
  elif [ ! -f "$copy" ]; then
    echo "$copy: missing, and no command of the pages draws it" >&2
    return 1
  fi
}

mkdir -p "$scratch/demo" docs/pictures
: >"$scratch/stale"
for page in README.md docs/*.md; do
  fill "$page" >"$scratch/page"
  $check || cmp -s "$scratch/page" "$page" || cat "$scratch/page" >"$page"
done
for picture in $(grep -ohE 'pictures/[a-z_]+\.(svg|png)' README.md docs/*.md | sort -u); do
  refresh_picture "docs/$picture"
done
for picture in docs/pictures/*; do
  ! $check || grep -qF "pictures/${picture##*/}" README.md docs/*.md || found "$picture: no page shows it"
done
stale=$(wc -l <"$scratch/stale")
if $check; then
  echo "documents: $stale stale"
  [ "$stale" -eq 0 ]
else
  echo "documents: $stale changed"
fi
