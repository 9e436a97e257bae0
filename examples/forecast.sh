#!/usr/bin/env bash
# From a table of numbers to a forecast: makes up two series of hourly values, trains a small model on them, measures
# it beside simple ways to forecast, and draws where it looked. Fails if one of them is better: a linear map, as what
# attention has learned is then nothing.
# usage: examples/forecast.sh REGARD FOLDER
set -euo pipefail
[ $# -eq 2 ] || { sed -n 's/^# usage: /usage: /p' "$0" >&2; exit 2; }
[ -x "$1" ] || { echo "forecast.sh: $1 is not there; do ./run build first" >&2; exit 2; }

regard=$1 folder=$2
load=$folder/load.csv model=$folder/load
source "$(dirname "$0")/terminal.sh"

# Days and weeks come again, larger days are followed by larger ones, and there is noise.
made_up_load() {
  awk 'function noise() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 - 0.5 }
    BEGIN {
      seed = 7; day = 6.283185307 / 24; month = 1
      print "time,city,factory"
      for (i = 0; i < 2880; ++i) {
        if (i % 24 == 0) size = 0.8 * size + noise()
        weekend = int(i / 24) % 7 >= 5
        city = 50 + (12 + 4 * size) * sin(day * i - 2) + 5 * sin(2 * day * i) + 3 * noise()
        factory = (weekend ? 20 : 60 + 8 * size) + 15 * (!weekend) * sin(day * i - 1.5) + 4 * noise()
        if (i % 24 == 0 && ++date > (month == 2 ? 28 : month == 4 ? 30 : 31)) { ++month; date = 1 }
        printf "2025-%02d-%02d %02d:00,%.2f,%.2f\n", month, date, i % 24, city, factory
      }
    }'
}

mkdir -p "$folder"
step 'A table: a time column and two series, 120 days of hours'
made_up_load >"$load"
try "head -n 4 $(printf %q "$load")"

step 'Train a model that sees a week and forecasts a day'
started=$SECONDS
try "$regard" train --arch forecast --train "$load" --model "$model" --fresh \
  --set model.context=168 --set model.horizon=24 --set model.patch=24 --set model.stride=12
trained=$((SECONDS - started))

step 'What comes next'
try "$regard" forecast --model "$model" -i "$load" --horizon 4

step 'How far off it is on the last fifth, beside simpler ways'
try "$regard" forecast --model "$model" -i "$load" --split test --svg "$folder/forecast.svg" \
  --png "$folder/forecast.png" --series factory --overwrite | tee "$folder/errors.txt"

mean_squared() { awk -v row="$1" '$1 == row { print $2 }' "$folder/errors.txt"; }
step "Trained in $((trained / 60)) min $((trained % 60)) s"
cat <<TEXT
   The picture:      $folder/forecast.svg
   Your own table:   $regard train --arch forecast --train table.csv --set model.horizon=24 --model runs/table
TEXT

for other in linear seasonal-repeat; do
  awk -v model="$(mean_squared model)" -v other="$(mean_squared $other)" \
    'BEGIN { exit !(model != "" && other != "" && model + 0 < other + 0) }' || {
    echo "forecast.sh: the model's error is '$(mean_squared model)', that of $other '$(mean_squared $other)'" >&2
    exit 1
  }
done
