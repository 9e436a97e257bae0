#!/usr/bin/env bash
# usage: fuzz/fuzz.sh [TARGET | all] [SECONDS] [--inputs N] [--jobs N]
#        fuzz/fuzz.sh --list
# Lets libFuzzer try the built targets (build-fuzz) for that long, or that many inputs (of slow targets a fifth), and prints
# what came of it. What it learns stays in build-fuzz/corpus; an input that breaks a target is a finding, in
# build-fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."

names() { for file in fuzz/targets/*.cpp; do basename "$file" .cpp; done; }

list() {
  for name in $(names); do
    printf '%-14s %s\n' "$name" "$(sed -nE 's/.*\.about = "([^"]*)".*/\1/p' "fuzz/targets/$name.cpp")"
  done
}

# fuzz TARGET: becomes one run of libFuzzer, its output in a log.
fuzz() {
  local name=$1 limit=-max_total_time=$seconds dictionary=() share=1 schedule=()
  if grep -q '\.slow = true' "fuzz/targets/$name.cpp"; then
    share=5
    schedule=(-entropic=0)  # to weigh rare features costs a fifth of the time where an input has thousands
  fi
  [ -z "$inputs" ] || limit=-runs=$((inputs / share))
  mkdir -p "build-fuzz/corpus/$name" "build-fuzz/findings/$name" build-fuzz/logs
  [ ! -f "fuzz/dictionaries/$name" ] || dictionary=("-dict=fuzz/dictionaries/$name")
  local known=()
  for folder in "fuzz/seeds/$name" "fuzz/findings/$name"; do [ ! -d "$folder" ] || known+=("$folder"); done
  exec "build-fuzz/fuzz/fuzz_$name" "build-fuzz/corpus/$name" "${known[@]}" "${dictionary[@]}" "${schedule[@]}" "$limit" -timeout=10 \
    -rss_limit_mb=1024 -print_final_stats=1 "-artifact_prefix=build-fuzz/findings/$name/" >"build-fuzz/logs/$name" 2>&1
}

# report TARGET: its line of the table; false where there is a finding.
report() {
  local log=build-fuzz/logs/$1 inputs speed coverage finding
  value() { sed -nE "s/^stat::$1: *([0-9]+).*/\1/p" "$log" | tail -n 1; }
  inputs=$(value number_of_executed_units) speed=$(value average_exec_per_sec)
  coverage=$(sed -nE 's/.* cov: ([0-9]+) .*/\1/p' "$log" | tail -n 1)
  finding=$(sed -nE 's/.*Test unit written to (.*)/\1/p' "$log" | tail -n 1)
  [ -n "$inputs" ] || finding=${finding:-"did not run, see $log"}
  printf '%-14s %12s %10s %9s  %s\n' "$1" "${inputs:--}" "${speed:--}" "${coverage:--}" "${finding:-none}"
  [ -z "$finding" ]
}

what=all seconds=60 inputs='' jobs=2
while [ $# -gt 0 ]; do
  case $1 in
    --list) list; exit ;;
    --inputs) inputs=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    [0-9]*) seconds=$1 ;;
    *) what=$1 ;;
  esac
  shift
done
chosen=$what
[ "$what" != all ] || chosen=$(names)

# Readers of paths get files in memory; the folder goes, whatever a finding left there.
TMPDIR=$(mktemp -d /dev/shm/regard-fuzz-XXXXXX)
export TMPDIR
trap 'kill $(jobs -rp) 2>/dev/null || true; rm -rf "$TMPDIR"' EXIT
# A stack of its own for each frame makes exceptions four times slower, and most inputs end in one.
export ASAN_OPTIONS=detect_stack_use_after_return=0:malloc_context_size=2:quarantine_size_mb=8 UBSAN_OPTIONS=print_stacktrace=1

for name in $chosen; do
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n || true; done
  fuzz "$name" &
done
wait

status=0
printf '%-14s %12s %10s %9s  %s\n' target inputs inputs/s coverage finding
for name in $chosen; do report "$name" || status=1; done
exit $status
