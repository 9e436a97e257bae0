#!/usr/bin/env bash
# From nothing to labels: trains a small encoder to say what a sentence is about, counts how often it is right on
# sentences with combinations of words it has never seen, does the same without positions, and draws where the class
# token looked. Fails if it is worse than docs/26-labels.md says.
# usage: examples/classify.sh REGARD FOLDER
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "classify.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$1 folder=$2
model=$folder/kinds
source "$(dirname "$0")/terminal.sh"

accuracy_of() { sed -nE 's/^accuracy ([0-9.]+) %.*/\1/p' "$1"; }

mkdir -p "$folder"
step 'Sentences, and what each is about: person or people, animal or animals, thing or things'
try "$regard" corpus builtin:kinds --split test --pairs 6
try "$regard" corpus builtin:kinds --split test --out "$folder/about" --overwrite

step 'Train an encoder with a class token in front of the words'
started=$SECONDS
try "$regard" train --arch classify --train builtin:kinds --model "$model" --preset tiny --fresh --epochs 2 \
  --set data.builtin_pairs=40000
trained=$((SECONDS - started))

step 'How often it is right on 1,000 sentences with combinations of words it has never seen'
try "$regard" classify --model "$model" --test "$folder/about/test.tsv" --svg "$folder/confusion.svg" --overwrite |
  tee "$folder/about/report"
accuracy=$(accuracy_of "$folder/about/report")

step 'The same words in another order'
try "$regard" classify --model "$model" --top 3 <<'TEXT'
The king sees the dog.
The dog sees the king.
The dogs see the king.
TEXT

step 'Where the class token looked'
try "$regard" inspect --model "$model" --svg "$folder/kinds.svg" --overwrite 'The old king sees a dog.'

step 'Without positions a text is a bag of words'
try "$regard" train --quiet --arch classify --train builtin:kinds --model "$folder/kinds-bag" --preset tiny --fresh \
  --epochs 2 --set data.builtin_pairs=40000 --set model.position=none
try "$regard" classify --model "$folder/kinds-bag" --test "$folder/about/test.tsv" > "$folder/about/bag"
bag=$(accuracy_of "$folder/about/bag")

step "Trained in $((trained / 60)) min $((trained % 60)) s; right in $accuracy % of unseen sentences, without positions in $bag %"
cat <<TEXT
   Try your own:     echo 'Where is her horse?' | $regard classify --model $model
   Your own texts:   $regard train --arch classify --train reviews.tsv --model runs/reviews
TEXT

awk -v found="$accuracy" -v bag="$bag" 'BEGIN { exit !(found != "" && found >= 98 && found > bag) }' || {
  echo "classify.sh: right in '$accuracy' %, without positions in '$bag' %; expected 98 % or more, and more with positions" >&2
  exit 1
}
