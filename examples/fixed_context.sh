#!/usr/bin/env bash
# Why a translator has to look back: two recurrent models, the same but for their attention, and how good they are as
# sources grow longer. One asks anew at each step (additive), the other always gets the mean of the source (average).
# Fails if they are not as good and as bad as docs/10-bahdanau.md says.
# usage: examples/fixed_context.sh REGARD FOLDER
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "fixed_context.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$1 by_length=$(dirname "$1")/examples/by_length folder=$2
text=$folder/fixed_context
source "$(dirname "$0")/terminal.sh"

# joined SPLIT SENTENCES COUNTS: sentences of the built-in corpus in small letters, with a space before each stop, and
# as many on a line as COUNTS says, over and over.
joined() {
  "$regard" corpus builtin:en-fr --split "$1" --pairs "$2" --seed 7 | LC_ALL=C awk -F '\t' -v counts="$3" '
    function words(text) { text = tolower(text); gsub(/[.?!,]/, " &", text); gsub(/ +/, " ", text); return text }
    BEGIN { kinds = split(counts, count, " "); kind = 1 }
    { source = source gap words($1); target = target gap words($2); gap = " " }
    ++sentences == count[kind] {
      print source "\t" target
      source = target = gap = ""; sentences = 0; kind = kind % kinds + 1
    }'
}

mkdir -p "$text"
step 'Text of one to four sentences a line, from the corpus inside the program'
joined train 300000 '1 1 2 1 1 3 1 1 4' >"$text/train.tsv"
joined test 10000 '1 2 3 4' >"$text/test.tsv"
cut -f1 "$text/test.tsv" >"$text/test.en"
cut -f2 "$text/test.tsv" >"$text/test.fr"
sed -n 2,3p "$text/train.tsv"

for attention in additive average; do
  step "Train a recurrent model with $attention attention, and translate lines it has never seen"
  started=$SECONDS
  try "$regard" train --train "$text/train.tsv" --from en --to fr --arch bahdanau --preset tiny --fresh \
    --config "$(dirname "$0")/fixed_context.toml" --set model.attention=$attention --model "$text/$attention"
  try "$regard" translate --model "$text/$attention" --beam 1 "$text/test.en" -o "$text/$attention.fr" --overwrite
  took+=("$attention: $(((SECONDS - started) / 60)) min $(((SECONDS - started) % 60)) s")
done

step 'Where each of them looked'
for attention in additive average; do
  try "$regard" inspect --model "$text/$attention" --beam 1 --svg "$folder/look_$attention.svg" \
    --png "$folder/look_$attention.png" --overwrite "i'm home ."
done

step 'Quality against length'
try "$by_length" "$folder" "$text/test.en" "$text/test.fr" "additive=$text/additive.fr" "average=$text/average.fr" |
  tee "$text/table"
printf '   %s\n' "${took[@]}"

awk '/^ *[0-9]+ \.\./ { additive = $5; average = $8; if (additive < 97) exit bad = 1 }
  END { exit bad || !(average != "" && average < 20) }' "$text/table" || {
  echo 'fixed_context.sh: expected a BLEU of 97 with additive attention at every length, below 20 with average at the last' >&2
  exit 1
}
