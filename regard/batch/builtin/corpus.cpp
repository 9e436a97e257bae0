#include "regard/batch/builtin/corpus.h"

#include <algorithm>
#include <unordered_set>

#include "regard/base/check.h"
#include "regard/base/rng.h"
#include "regard/batch/builtin/draw.h"
#include "regard/batch/builtin/split.h"

namespace regard {

bool is_builtin(std::string_view path) {
  if (!path.starts_with("builtin:")) return false;
  check(path == kBuiltinEnFr, "no built-in corpus is called '", path, "'; there is ", kBuiltinEnFr);
  return true;
}

std::string_view name(Split split) {
  switch (split) {
    case Split::train:
      return "train";
    case Split::valid:
      return "valid";
    case Split::test:
      return "test";
  }
  fail(Fault::bug, "builtin:en-fr: no such split");
}

Index max_builtin_pairs(Split split) {
  // The grammar holds more; drawing different sentences stays quick up to here.
  return split == Split::train ? 1000000 : split == Split::test ? 200000 : 50000;
}

std::vector<Pair> builtin_en_fr(const BuiltinSpec& spec) {
  check(spec.pairs >= 0 && spec.pairs <= max_builtin_pairs(spec.split),
        "builtin:en-fr: ", spec.pairs, " pairs asked for, the ", name(spec.split),
        " split offers 0 to ", max_builtin_pairs(spec.split), "; ask for fewer");
  const Rng rng = Rng(spec.seed).fork(kBuiltinEnFr).fork(name(spec.split));
  std::vector<Pair> result;
  result.reserve(static_cast<std::size_t>(spec.pairs));
  std::unordered_set<std::string> seen;
  for (std::uint64_t i = 0; static_cast<Index>(result.size()) < spec.pairs; ++i) {
    builtin::Drawn drawn = builtin::draw(rng.fork(i));
    const bool short_enough = std::ranges::count(drawn.pair.source, ' ') < 14;
    if (!short_enough || builtin::split_of(drawn.pair.source, drawn.lemmas) != spec.split) continue;
    if (seen.insert(drawn.pair.source).second) result.push_back(std::move(drawn.pair));
  }
  return result;
}

}  // namespace regard
