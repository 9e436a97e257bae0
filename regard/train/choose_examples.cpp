#include "regard/train/choose_examples.h"

#include <algorithm>
#include <span>

#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "regard/measure/chrf.h"

namespace regard {
namespace {

/// Tokens of a source, its end not counted.
struct Lengths {
  Index least, most;

  bool hold(Index length) const { return length >= least && length <= most; }
};
constexpr Lengths kLengths[]{{6, 8}, {9, 11}, {3, 5}, {12, 14}};
constexpr std::size_t kOfEach = kMaxExamples / std::size(kLengths);

Index length_of(const IdPair& pair) {
  return static_cast<Index>(pair.source.size()) - 1;
}

struct Tried {
  std::string source;
  Index length = 0;
  double score = 0;  ///< chrF of its translation
};

/// Indices of the first pairs whose source could be an example, each text once.
std::vector<std::size_t> candidates(const ValidationSet& set) {
  constexpr std::size_t kMax = 200;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < set.ids.size() && found.size() < kMax; ++i) {
    const std::string& text = set.text[i].source;
    const auto same = [&](std::size_t other) { return set.text[other].source == text; };
    const auto holds = [&](const Lengths& each) { return each.hold(length_of(set.ids[i])); };
    const bool known = std::ranges::find(set.ids[i].source, kUnk) == set.ids[i].source.end();
    if (known && fits_as_example(text) && std::ranges::any_of(kLengths, holds) &&
        std::ranges::none_of(found, same))
      found.push_back(i);
  }
  return found;
}

/// The best translated first.
std::vector<Tried> tried(const SequenceModel& model, const ModelInfo& info,
                         const ValidationSet& set) {
  const std::vector<std::size_t> chosen = candidates(set);
  if (chosen.empty()) return {};
  std::vector<std::vector<std::int32_t>> sources;
  for (const std::size_t i : chosen) sources.push_back(set.ids[i].source);
  const DecodeSpec greedy{.beam = 1,
                          .max_length = max_output_tokens(info.spec, DecodeSpec().max_length)};
  const auto translations = translate(model, sources, greedy);
  std::vector<Tried> all;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const Pair& pair = set.text[chosen[i]];
    const std::string translation = info.target->decode(translations[i].front().ids);
    all.push_back({pair.source, length_of(set.ids[chosen[i]]),
                   chrf(std::span(&translation, 1), {{pair.target}}).score});
  }
  std::ranges::stable_sort(all, std::ranges::greater(), &Tried::score);
  return all;
}

}  // namespace

std::vector<std::string> choose_examples(const SequenceModel& model, const ModelInfo& info,
                                         const ValidationSet& set) {
  std::vector<Tried> all = tried(model, info, set);
  std::erase_if(all, [least = all.empty() ? 0 : all.front().score / 2](const Tried& each) {
    return each.score < least;
  });
  std::vector<std::string> examples;
  for (std::size_t round = 0; round < kOfEach; ++round)
    for (const Lengths& lengths : kLengths) {
      const auto best =
          std::ranges::find_if(all, [&](const Tried& each) { return lengths.hold(each.length); });
      if (best == all.end()) continue;
      examples.push_back(best->source);
      all.erase(best);
    }
  return examples;
}

}  // namespace regard
