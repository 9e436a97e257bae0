#include "regard/batch/builtin/corpus.h"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_set>

#include "regard/base/check.h"
#include "regard/base/nearest.h"
#include "regard/base/rng.h"
#include "regard/batch/builtin/draw.h"
#include "regard/batch/builtin/split.h"

namespace regard {
namespace {

/// Of the sentences that the grammar makes, which all corpora hold.
constexpr int kGrammarVersion = 2;

/// Most sentences of the grammar have no label, or one that has had its turn.
Index max_kinds(Split split) {
  return split == Split::train ? 200000 : 10000;
}

constexpr BuiltinCorpus kCorpora[]{{.name = kBuiltinEnFr,
                                    .holds = PairKind::translation,
                                    .version = kGrammarVersion,
                                    .source = "en",
                                    .target = "fr",
                                    .held_out_pairs = 1000,
                                    .vocab_type = "words",
                                    .min_frequency = 1,
                                    .make = builtin_en_fr,
                                    .max_pairs = max_builtin_pairs},
                                   {.name = kBuiltinEn,
                                    .holds = PairKind::text,
                                    .version = kGrammarVersion,
                                    .source = "",
                                    .target = "en",
                                    .held_out_pairs = 1000,
                                    .vocab_type = "words",
                                    .min_frequency = 1,
                                    .make = builtin_en,
                                    .max_pairs = max_builtin_pairs},
                                   {.name = kBuiltinKinds,
                                    .holds = PairKind::label,
                                    .version = kGrammarVersion,
                                    .source = "en",
                                    .target = "",
                                    .held_out_pairs = 1000,
                                    .vocab_type = "words",
                                    .min_frequency = 1,
                                    .make = builtin_kinds,
                                    .max_pairs = max_kinds}};

}  // namespace

std::span<const BuiltinCorpus> builtin_corpora() {
  return kCorpora;
}

const BuiltinCorpus* find_builtin(std::string_view name) {
  if (!name.starts_with("builtin:")) return nullptr;
  std::vector<std::string_view> names;
  for (const BuiltinCorpus& corpus : kCorpora) {
    if (corpus.name == name) return &corpus;
    names.push_back(corpus.name);
  }
  for (const std::string_view pictures : {kBuiltinScenes, kBuiltinShapes}) {
    check(name != pictures, name, " holds pictures, but text is needed here; what they show is ",
          "text: `regard corpus ", name, " --out DIR` writes it");
    names.push_back(pictures);
  }
  fail(Fault::usage, "no built-in corpus is called '", name, "'", known_values(name, names));
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

namespace {

/// The different sentences of a split, one after another, for as long as `take` wants more.
void each_sentence(std::string_view corpus, const BuiltinSpec& spec,
                   const std::function<bool(builtin::Drawn&)>& take) {
  const Rng rng = Rng(spec.seed).fork(corpus).fork(name(spec.split));
  std::unordered_set<std::string> seen;
  for (std::uint64_t i = 0;; ++i) {
    builtin::Drawn drawn = builtin::draw(rng.fork(i));
    const bool short_enough = std::ranges::count(drawn.pair.source, ' ') < 14;
    if (!short_enough || builtin::split_of(drawn.pair.source, drawn.lemmas) != spec.split) continue;
    if (seen.insert(drawn.pair.source).second && !take(drawn)) return;
  }
}

void check_pairs(std::string_view corpus, const BuiltinSpec& spec, Index most) {
  check(spec.pairs >= 0 && spec.pairs <= most, corpus, ": ", spec.pairs, " pairs asked for, the ",
        name(spec.split), " split offers 0 to ", most, "; ask for fewer");
}

constexpr std::array<std::string_view, 6> kKinds{"person",  "people", "animal",
                                                 "animals", "thing",  "things"};

/// Which of them.
std::size_t kind_of(const builtin::Topic& topic) {
  namespace kind = builtin::kind;
  const std::uint32_t kinds = topic.noun->kinds;
  const std::size_t one = kinds & kind::person ? 0 : kinds & kind::animal ? 2 : 4;
  return one + (topic.plural ? 1 : 0);
}

}  // namespace

std::vector<Pair> builtin_en_fr(const BuiltinSpec& spec) {
  check_pairs(kBuiltinEnFr, spec, max_builtin_pairs(spec.split));
  std::vector<Pair> result;
  result.reserve(static_cast<std::size_t>(spec.pairs));
  if (spec.pairs > 0)
    each_sentence(kBuiltinEnFr, spec, [&](builtin::Drawn& drawn) {
      result.push_back(std::move(drawn.pair));
      return static_cast<Index>(result.size()) < spec.pairs;
    });
  return result;
}

std::vector<Pair> builtin_kinds(const BuiltinSpec& spec) {
  check_pairs(kBuiltinKinds, spec, max_kinds(spec.split));
  std::vector<Pair> result;
  std::array<Index, kKinds.size()> counts{};
  if (spec.pairs > 0)
    each_sentence(kBuiltinKinds, spec, [&](builtin::Drawn& drawn) {
      if (!drawn.topic.noun) return true;
      const std::size_t kind = kind_of(drawn.topic);
      if (counts[kind] > std::ranges::min(counts)) return true;  // its turn comes again
      ++counts[kind];
      result.push_back(
          {.source = std::move(drawn.pair.source), .target = std::string(kKinds[kind])});
      return static_cast<Index>(result.size()) < spec.pairs;
    });
  return result;
}

std::vector<Pair> builtin_en(const BuiltinSpec& spec) {
  std::vector<Pair> result = builtin_en_fr(spec);
  for (Pair& pair : result) pair = {.source = "", .target = std::move(pair.source)};
  return result;
}

}  // namespace regard
