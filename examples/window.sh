#!/usr/bin/env bash
# What a window saves: the time in which a language model scores one line, with a window of 16 tokens and without, for
# lines of twice and four times as many tokens.
# usage: examples/window.sh REGARD FOLDER
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "window.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$1 folder=$2
text=$folder/window.txt

seconds() {
  local start=$EPOCHREALTIME
  "$@" >"$folder/window.score" 2>"$folder/window.about"
  awk -v start="$start" -v end="$EPOCHREALTIME" 'BEGIN { printf "%.2f", end - start }'
}

mkdir -p "$folder"
for window in 16 0; do  # one update: what the model says does not matter here
  "$regard" train --arch language --train builtin:en --model "$folder/window-$window" --fresh --steps 1 --quiet \
    --set data.builtin_pairs=500 --set model.d_model=64 --set model.d_hidden=64 --set model.heads=4 \
    --set model.decoder_layers=2 --set model.position=rotary --set model.decoder_window=$window >&2
done
printf '%-10s%14s%14s\n' tokens 'window of 16' 'no window'
for words in 5000 10000 20000; do
  awk -v n=$words 'BEGIN { for (i = 0; i < n; ++i) printf "%s ", (i % 2 ? "sees a" : "the dog"); print "" }' >"$text"
  with=$(seconds "$regard" score --model "$folder/window-16" -i "$text")
  without=$(seconds "$regard" score --model "$folder/window-0" -i "$text")
  printf '%-10s%12s s%12s s\n' "$(sed -n 's/.* \([0-9]*\) tokens .*/\1/p' "$folder/window.about")" "$with" "$without"
done
