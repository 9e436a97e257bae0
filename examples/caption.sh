#!/usr/bin/env bash
# From nothing to captions: trains a small model on scenes that the program draws, measures it on scenes it has never
# seen, and shows where it looked. Fails if it is worse than docs/25-images.md says.
# usage: examples/caption.sh REGARD FOLDER
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "caption.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$1 folder=$2
model=$folder/captioner
source "$(dirname "$0")/terminal.sh"

mkdir -p "$folder"
step 'Train a model to say what scenes show, which are painted as it learns'
started=$SECONDS
try "$regard" train --arch caption --train builtin:scenes --model "$model" --fresh
trained=$((SECONDS - started))

step 'A scene it has never seen'
try "$regard" corpus builtin:scenes --split test --pairs 8 --out "$folder/scenes" --overwrite
try "$regard" caption --model "$model" "$folder/scenes/test/000003.png"
try "$regard" caption --model "$model" "$folder/scenes/test/000003.png" --svg "$folder/look.svg" --overwrite

step 'How many captions of 1,000 such scenes are exact, and how much of the attention is where it should be'
try "$regard caption --model $model --test builtin:scenes --beam 1 --json >$folder/captions.json"
try "$regard" caption --model "$model" --test builtin:scenes --beam 1

step "Trained in $((trained / 60)) min $((trained % 60)) s"
cat <<TEXT
   Try your own:     $regard caption --model $model picture.png --svg look.svg
   In French:        $regard train --arch caption --train builtin:scenes --to fr --model runs/scenes-fr
TEXT

# value NAME KEY: a number of the scores of these pictures.
value() {
  tr '{' '\n' <"$folder/captions.json" | tr -d '"' | awk -v name="name:$1," -v key="$2" '
    index($0, name) { inside = 1 }
    inside && match($0, key ":[0-9.]+") {
      print substr($0, RSTART + length(key) + 1, RLENGTH - length(key) - 1); exit }'
}

seen=$(value 'seen pairs' exact_percent) unseen=$(value 'unseen pairs' exact_percent)
times=$(value 'all' times_chance)
awk -v seen="$seen" -v unseen="$unseen" -v times="$times" \
  'BEGIN { exit !(seen >= 95 && unseen >= 85 && times >= 3) }' || {
  echo "caption.sh: exact are $seen % and $unseen % of unseen pairs, $times times chance in the box;" \
    "expected 95 %, 85 %, 3 times" >&2
  exit 1
}
