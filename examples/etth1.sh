#!/usr/bin/env bash
# The table of page 24: mean squared errors on the test part of ETTh1, of a model and of simple ways to forecast, for four
# horizons and two contexts. ETTh1.csv is in the folder ETT-small of https://github.com/zhouhaoyi/ETDataset.
# usage: examples/etth1.sh REGARD FOLDER ETTh1.csv
set -euo pipefail
[ $# -eq 3 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "etth1.sh: $1 is not there; do ./run build first" >&2; exit 2; }
[ -r "$3" ] || { echo "etth1.sh: $3 is not there" >&2; exit 2; }

regard=$1 folder=$2 table=$3

printf '%-9s%-9s%-18s%8s\n' context horizon forecaster MSE
for context in 336 512; do
  for horizon in 96 192 336 720; do
    model=$folder/$context-$horizon
    "$regard" train --arch forecast --train "$table" --model "$model" --fresh \
      --set model.context=$context --set model.horizon=$horizon >&2
    "$regard" forecast --model "$model" -i "$table" --split test |
      awk -v context=$context -v horizon=$horizon \
        '$3 ~ /^[0-9.]+$/ { printf "%-9d%-9d%-18s%8.3f\n", context, horizon, $1, $2 }'
  done
done
