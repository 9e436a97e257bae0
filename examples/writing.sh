#!/usr/bin/env bash
# From nothing to a text: trains a small language model on the built-in English corpus, measures it on sentences it
# has never seen, lets it write, and draws where it looked. Fails if it is worse than docs/21-writing.md says.
# usage: examples/writing.sh REGARD FOLDER
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "writing.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$1 folder=$2
model=$folder/writer
source "$(dirname "$0")/terminal.sh"

mkdir -p "$folder"
step 'Train a decoder alone on English sentences that a grammar inside the program makes'
started=$SECONDS
try "$regard" train --arch language --train builtin:en --model "$model" --preset tiny --fresh --epochs 1 \
  --config "$(dirname "$0")/translation.toml"
trained=$((SECONDS - started))

step 'How well it expects 1,000 sentences with combinations of words it has never seen'
try "$regard" corpus builtin:en --split test --pairs 1000 --seed 7 --out "$folder/unseen" --overwrite
try "$regard" score --model "$model" "$folder/unseen/test.en" -o "$folder/unseen/scores" --overwrite 2>&1 |
  tee "$folder/unseen/perplexity"
perplexity=$(sed -nE 's/^perplexity ([0-9.]+) .*/\1/p' "$folder/unseen/perplexity")

step 'The likeliest way on, and others that are drawn'
try "$regard" generate --model "$model" --prompt 'The old king'
try "$regard" generate --model "$model" --prompt 'The old king' --sample --seed 3 --n-best 5

step 'Where it looked'
try "$regard" inspect --model "$model" --layer 1 --svg "$folder/writer.svg" --overwrite "The black cat doesn't see the dog."

step "Trained in $((trained / 60)) min $((trained % 60)) s; perplexity $perplexity on unseen sentences"
cat <<TEXT
   Try your own:     $regard generate --model $model --prompt 'The young teacher' --sample
   Your own text:    $regard train --arch language --train text.en --model runs/writer
TEXT

awk -v found="$perplexity" 'BEGIN { exit !(found != "" && found <= 16) }' || {
  echo "writing.sh: the perplexity is '$perplexity', expected at most 16" >&2
  exit 1
}
