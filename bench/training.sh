#!/usr/bin/env bash
# Training beside PyTorch on the same sentences, in turns: ours, theirs, theirs, ours, ...; medians and their ratio.
# usage: bench/training.sh PROGRAMS PYTHON [SOURCE TARGET] [-- options of both, as --preset small --tokens 4096]
#   PROGRAMS   the folder of bench_training; PYTHON an interpreter with torch; SOURCE, TARGET aligned text, else
#              the built-in corpus
set -euo pipefail
programs=$1 python=$2
shift 2
text=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do text+=("$1"); shift; done
[ "${1:-}" = -- ] && shift
here=$(dirname "$0") scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [ ${#text[@]} -eq 0 ]; then
  "$programs/../regard" corpus builtin:en-fr --pairs 30000 --out "$scratch" >&2
  text=("$scratch/train.en" "$scratch/train.fr")
fi
"$programs/bench_training" --write-ids "$scratch/ids" "${text[@]}"

tcmalloc=$(ls /usr/lib/*/libtcmalloc.so.4 2>/dev/null | head -n 1 || true)
ours() { "$programs/bench_training" "$scratch/ids" "$@" | tee -a "$scratch/ours"; }
theirs() {
  THP_MEM_ALLOC_ENABLE=1 LD_PRELOAD=$tcmalloc "$python" "$here/torch_training.py" "$scratch/ids" "$@" | tee -a "$scratch/theirs"
}
for round in 1 2 3; do
  ours "$@"
  theirs "$@"
  theirs "$@"
  ours "$@"
done
median() { sed -E 's/.*"target_tokens_per_s": ?([0-9.]+).*/\1/' "$1" | sort -n | awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int(NR / 2) + 1]) / 2 }'; }
awk -v a="$(median "$scratch/ours")" -v b="$(median "$scratch/theirs")" \
  'BEGIN { printf "medians of 6 runs each: regard %.0f, PyTorch %.0f target tokens/s; ratio %.2f\n", a, b, a / b }'
