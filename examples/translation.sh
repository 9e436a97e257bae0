#!/usr/bin/env bash
# From nothing to a translation: trains a small model on the built-in English-French corpus, translates
# sentences it has never seen, and draws where it looked. Fails if the model is not as good as docs/15-results.md says.
# usage: examples/translation.sh REGARD FOLDER [transformer|bahdanau]
set -euo pipefail
case $# in 2 | 3) ;; *) sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2 ;; esac
[ -x "$1" ] || { echo "translation.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$1 look=$(dirname "$1")/examples/look folder=$2 architecture=${3:-transformer}
model=$folder/en-fr epochs=2
[ "$architecture" = transformer ] || model=$folder/en-fr-$architecture epochs=3
source "$(dirname "$0")/terminal.sh"

mkdir -p "$folder"
step 'Train a model on a corpus that is inside the program: English to French, with known word alignments'
started=$SECONDS
try "$regard" train --train builtin:en-fr --model "$model" --arch "$architecture" --preset tiny --fresh \
  --epochs "$epochs" --config "$(dirname "$0")/translation.toml"
trained=$((SECONDS - started))

step 'Translate 1,000 sentences with combinations of words it has never seen'
try "$regard" corpus builtin:en-fr --split test --pairs 1000 --seed 7 --out "$folder" --overwrite
try "$regard" translate --model "$model" --alignment -i "$folder/test.en" -o "$folder/test.out" --overwrite
cut -f1 "$folder/test.out" >"$folder/test.hyp"
cut -f2 "$folder/test.out" >"$folder/test.links"
exact=$(paste -d '\n' "$folder/test.hyp" "$folder/test.fr" | awk 'NR % 2 { hyp = $0; next } hyp == $0 { n++ } END { print n + 0 }')
scores=$("$regard" evaluate --hyp "$folder/test.hyp" --ref "$folder/test.fr" --metric bleu \
  --alignment "$folder/test.links" --alignment-ref "$folder/test.align")
echo "$scores"
error_rate=$(awk '$1 == "AER" { print $2 }' <<<"$scores")

step 'Five of them, with the words each word came from (source-target)'
paste "$folder/test.en" "$folder/test.hyp" "$folder/test.links" |
  awk -F '\t' 'NR <= 5 { printf "\n  %s\n  %s\n  %s\n", $1, $2, $3 }'

if [ "$architecture" = transformer ]; then
  step 'Where it looked'
  try "$look" "$folder" "$model" "The black cat doesn't see the dog."
fi

step "Trained in $((trained / 60)) min $((trained % 60)) s; $exact of 1000 unseen sentences translated exactly"
cat <<TEXT
   Try your own:     echo 'The old king gives a red book to the queen.' | $regard translate --model $model --alignment
   In the browser:   $regard serve --model $model --open
   Your own text:    $regard train --train text.en text.de --model runs/en-de
   One that writes:  $(dirname "$0")/writing.sh $regard $folder
   That captions:    $(dirname "$0")/caption.sh $regard $folder
   That forecasts:   $(dirname "$0")/forecast.sh $regard $folder
   That labels:      $(dirname "$0")/classify.sh $regard $folder
   Pictures, too:    $(dirname "$0")/vit.sh $regard $folder
TEXT

fails() { echo "translation.sh: $1" >&2; exit 1; }
[ "$exact" -ge 980 ] || fails "only $exact of 1000 sentences are exact, expected at least 980"
# The attention of the recurrent model is no word alignment.
[ "$architecture" != transformer ] || awk -v rate="$error_rate" 'BEGIN { exit !(rate != "" && rate <= 0.15) }' ||
  fails "the alignment error rate is $error_rate, expected at most 0.15"
