#!/usr/bin/env bash
# The model that comes with regard, seconds after the build: translates, and draws where it looked.
# usage: examples/first_look.sh REGARD FOLDER     the program, and where pictures go
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "first_look.sh: $1 is not there; do ./run build first" >&2; exit 2; }
source "$(dirname "$0")/terminal.sh"
regard=$(printf %q "$1") folder=$(printf %q "$2")
mkdir -p "$2"

step 'Translate, with the model that comes with regard (English to French)'
try "echo \"I'm home. The cat sat on the mat because it was tired.\" | $regard translate --split"

step 'See where it looked'
try "$regard inspect -q 'Where did the old man buy his black hat?' --png $folder/hat.png --html $folder/hat.html --overwrite"

cat <<TEXT

   The picture:              $2/hat.png
   All heads, as a page:     $2/hat.html (open it in a browser; it needs no network)
   Type your own sentence:   $1 serve --open
TEXT
