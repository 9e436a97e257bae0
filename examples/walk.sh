#!/usr/bin/env bash
# A walk through attention: every idea in a sentence, a command, its numbers and its picture.
# usage: examples/walk.sh REGARD FOLDER     the program regard (example programs beside it), and where
#                                           pictures go
set -euo pipefail
[ $# -eq 2 ] || { sed -n '/^# usage/,/^# *pictures/s/^# //p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "walk.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$(printf %q "$1") examples=$(printf %q "$(dirname "$1")/examples") folder=$(printf %q "$2")
mkdir -p "$2"

source "$(dirname "$0")/terminal.sh"

number=0
idea() {
  number=$((number + 1))
  printf '\n%s%d. %s%s\n' "$bold" "$number" "$1" "$normal"
  shift
  printf '   %s\n' "$@"
}

printf '%sA walk through attention%s\n' "$bold" "$normal"
printf 'Ten ideas, each with numbers and a picture. Pictures go to %s.\n' "$2"

idea 'Pooling' 'A query asks the points it knows for an answer; near points count more.'
try "$examples/pooling $folder"

idea 'Scoring' 'What makes a query and a key match? These are the ways in this build:'
try "$regard attend --list"
try "$examples/scoring $folder"

idea 'Masks' 'Some keys must not be seen. With a causal mask, a word sees itself and the past.'
try "$regard attend --query '1,0;0,1;1,1' --labels the,black,cat --mask causal"
try "$examples/masks $folder"

idea 'Self-attention by hand' 'A sequence asks itself: softmax(X X'\'') X, small enough to check on paper.'
try "$regard attend --quiet --query '1,3,2;1,1,3;1,2,1' --score dot"
try "$regard attend --query '1,0,1,0;0,1,0,1;1,1,0,0;0,0,1,1;1,.5,.5,0' --svg $folder/five.svg --png $folder/five.png --pdf $folder/five.pdf --overwrite"

idea 'Why scale' 'Wide vectors have large products, and softmax of large numbers stops learning.'
try "$examples/why_scale $folder"

idea 'Many heads' 'One projection, cut into heads; each looks in its own way.'
try "$examples/multi_head $folder"

idea 'Positions' 'To attention a sentence is a set. Waves tell it where each word stands.'
try "$examples/positions $folder"

idea 'Three kinds' 'Encoder, decoder and cross-attention, and a proof that the future cannot leak.'
try "$examples/three_kinds $folder"

idea 'The block' 'Attention, then a network for each token, each with a residual connection and a norm.'
try "$examples/block $folder"

idea 'The comparison' 'Self-attention beside convolution and recurrence: time against length, measured.'
try "$examples/comparison $folder 1024"

cat <<TEXT

${bold}Pictures${normal} in $2, each as .svg, .png and .pdf:
   pooling, pooling_weights      three ways to pool, and where each looked
   scoring                       the same tokens under every mechanism
   masks                         six masks
   five                          self-attention of five tokens
   why_scale                     how the gradient dies without the scale
   multi_head                    four heads on six tokens
   positions, positions_waves    codes of positions
   three_kinds                   encoder, decoder, cross
   block_depth, block_norms      what residual connections are for; layer norm beside batch norm
   comparison                    time against length

${bold}Next${normal}
   Your own numbers:    $1 attend --query '1,0;0,1;1,1' --score cosine --svg mine.svg
   From a file:         $1 attend --query matrix.csv --mask causal --json
   All options:         $1 attend --help
   The pages:           docs/README.md, one for each idea, with the code and exercises
TEXT
