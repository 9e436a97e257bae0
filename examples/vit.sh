#!/usr/bin/env bash
# From nothing to labels of pictures: trains a small vision transformer to say which shape the largest object of a scene
# has, counts how often it is right, apart for colours that it has never seen that shape in, and draws where the class
# token looked. Fails if it is worse than docs/26-labels.md says.
# usage: examples/vit.sh REGARD FOLDER
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "vit.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$1 folder=$2
model=$folder/shapes-model
source "$(dirname "$0")/terminal.sh"

mkdir -p "$folder"
step 'Train a vision transformer on scenes, which are painted as it learns'
started=$SECONDS
try "$regard" train --arch vit --train builtin:shapes --model "$model" --fresh
trained=$((SECONDS - started))

step 'A scene it has never seen'
try "$regard" corpus builtin:shapes --split test --pairs 16 --out "$folder/shapes" --overwrite
try "$regard" classify --model "$model" --top 3 "$folder/shapes/test/000011.png"

step 'Where the class token looked'
try "$regard" classify --model "$model" "$folder/shapes/test/000011.png" --svg "$folder/look_shape.svg" --overwrite

step 'How often it is right on 1,000 such scenes; every second largest object has a colour that its shape never had'
try "$regard" classify --model "$model" --test builtin:shapes --svg "$folder/shapes-confusion.svg" --overwrite |
  tee "$folder/shapes/report"

step "Trained in $((trained / 60)) min $((trained % 60)) s"
cat <<TEXT
   Try your own:      $regard classify --model $model picture.png --svg look.svg
   Your own labels:   $regard train --arch vit --train photos.tsv --model runs/photos
TEXT

# per_cent WHICH: of the pairs of that kind, as the report says it.
per_cent() { sed -nE "s/.*(^| )$1 pairs[^:]*: ([0-9.]+) %.*/\2/p" "$folder/shapes/report"; }

seen=$(per_cent seen) unseen=$(per_cent unseen)
awk -v seen="$seen" -v unseen="$unseen" 'BEGIN { exit !(seen >= 97 && unseen >= 93) }' || {
  echo "vit.sh: right in '$seen' %, and in '$unseen' % of unseen pairs; expected 97 % and 93 % or more" >&2
  exit 1
}
