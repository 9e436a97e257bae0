#include "regard/decode/alignment.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "regard/base/check.h"
#include "regard/tokens/tokenizer.h"

namespace regard {
namespace {

/// Tokens of both sides read at a time.
constexpr Index kBatchTokens = 4096;

Index word_count(const std::vector<Index>& words) {
  return words.empty() ? 0 : *std::ranges::max_element(words) + 1;
}

/// Weights between words, one row a target word.
struct Soft {
  Index targets = 0, sources = 0;
  std::vector<double> weights;

  std::span<const double> row(Index target) const {
    return std::span(weights).subspan(static_cast<std::size_t>(target * sources),
                                      static_cast<std::size_t>(sources));
  }
  double& at(Index target, Index source) {
    return weights[static_cast<std::size_t>(target * sources + source)];
  }
};

Soft nothing(const PairToAlign& pair) {
  Soft soft{word_count(pair.target_words), word_count(pair.source_words), {}};
  soft.weights.resize(static_cast<std::size_t>(soft.targets * soft.sources));
  return soft;
}

/// Adds `scale` times the weights between tokens, which may have more rows and columns than count.
void add_words(Soft& soft, const Tensor& weights, const PairToAlign& pair, bool after,
               double scale) {
  std::vector<double> tokens(static_cast<std::size_t>(soft.targets));
  for (const Index word : pair.target_words)
    if (word >= 0) ++tokens[static_cast<std::size_t>(word)];
  const std::vector<double> all = weights.values();
  const auto width = static_cast<std::size_t>(weights.size(1));
  for (std::size_t t = 0; t < pair.target_words.size(); ++t) {
    const Index word = pair.target_words[t];
    if (word < 0) continue;
    const double share = scale / tokens[static_cast<std::size_t>(word)];
    // The input is begin, then the target: row t says token t, row t + 1 has read it.
    const double* row = all.data() + (t + (after ? 1 : 0)) * width;
    for (std::size_t s = 0; s < pair.source_words.size(); ++s)
      if (pair.source_words[s] >= 0) soft.at(word, pair.source_words[s]) += share * row[s];
  }
}

Links links_of(const Soft& soft) {
  Links links;
  for (Index target = 0; target < soft.targets; ++target) {
    const std::span<const double> row = soft.row(target);
    const auto most = std::ranges::max_element(row);
    if (most != row.end() && *most > 0) links.emplace_back(most - row.begin(), target);
  }
  std::ranges::sort(links);
  return links;
}

/// What every layer looked at in a few pairs, layer after layer.
using Seen =
    std::function<void(const std::vector<AttentionCapture>& layers, std::size_t pair, Index row)>;

void check_pair(const PairToAlign& pair) {
  check(pair.source_words.size() <= pair.source.size() &&
            pair.target_words.size() <= pair.target.size(),
        "words of ", pair.source_words.size(), " and ", pair.target_words.size(),
        " tokens came with a pair of ", pair.source.size(), " and ", pair.target.size());
}

/// Reads all pairs, some at a time, and shows each pair once.
void watch(const SequenceModel& model, std::span<const PairToAlign> pairs, const Seen& seen) {
  const NoGrad quiet;
  for (std::size_t begin = 0, end = 0; begin < pairs.size(); begin = end) {
    std::vector<std::vector<std::int32_t>> sources, decoder_input;
    for (Index tokens = 0; end < pairs.size() && (end == begin || tokens < kBatchTokens); ++end) {
      check_pair(pairs[end]);
      sources.push_back(pairs[end].source);
      decoder_input.push_back({kBos});
      decoder_input.back().insert(decoder_input.back().end(), pairs[end].target.begin(),
                                  pairs[end].target.end());
      tokens += model.source_rows(static_cast<Index>(sources.back().size())) +
                static_cast<Index>(decoder_input.back().size());
    }
    std::vector<AttentionCapture> layers;
    Pass pass;
    pass.on_attention = [&](const AttentionCapture& capture) {
      if (capture.where.starts_with("decoder/") && capture.where.ends_with("/cross"))
        layers.push_back(capture);
    };
    model.forward(TokenIds::ragged(sources), TokenIds::ragged(decoder_input), pass);
    check(!layers.empty(), "this model has no attention to its source, so there are no alignments");
    for (std::size_t i = begin; i < end; ++i) seen(layers, i, static_cast<Index>(i - begin));
  }
}

/// The words' weights by one head, or by the mean of several.
Soft soft_by(const std::vector<AttentionCapture>& layers, Index row, const PairToAlign& pair,
             const AlignmentHead& from) {
  const auto count = static_cast<Index>(layers.size());
  check(from.layer >= -1 && from.layer < count && from.head >= -1 && from.head < layers[0].heads,
        "alignment by layer ", from.layer, ", head ", from.head, ", but there are ", count,
        " layers of ", layers[0].heads, " heads; expected numbers from 0, or -1 for all");
  Soft soft = nothing(pair);
  const Index first = std::max<Index>(from.layer, 0);
  const Index last = from.layer < 0 ? count : first + 1;
  for (Index layer = first; layer < last; ++layer) {
    const AttentionCapture& capture = layers[static_cast<std::size_t>(layer)];
    const Index head = std::max<Index>(from.head, 0);
    const Index end = from.head < 0 ? capture.heads : head + 1;
    const double scale = 1 / static_cast<double>((last - first) * (end - head));
    for (Index h = head; h < end; ++h)
      add_words(soft, capture.weights(row, h), pair, from.shift, scale);
  }
  return soft;
}

/// The same layers for one pair, each head's weights computed once, however often they are asked.
std::vector<AttentionCapture> computed(const std::vector<AttentionCapture>& layers, Index row) {
  std::vector<AttentionCapture> result;
  for (const AttentionCapture& capture : layers) {
    std::vector<Tensor> heads;
    for (Index h = 0; h < capture.heads; ++h) heads.push_back(capture.weights(row, h));
    result.push_back(capture);
    result.back().weights = [heads](Index, Index h) { return heads[static_cast<std::size_t>(h)]; };
  }
  return result;
}

/// Every head, and every mean, of a model with these layers.
std::vector<AlignmentHead> every_head(const std::vector<AttentionCapture>& layers) {
  std::vector<AlignmentHead> all;
  for (const bool after : {false, true}) {
    all.push_back({.shift = after});
    for (std::size_t layer = 0; layer < layers.size(); ++layer)
      for (Index head = -1; head < layers[layer].heads; ++head)
        all.push_back({static_cast<Index>(layer), head, after});
  }
  return all;
}

/// How good a head looks, pair after pair.
struct Verdict {
  double common = 0, links = 0, sure = 0;

  void add(const Soft& soft, const Links* gold) {
    const Links found = links_of(soft);
    if (gold) {
      links += static_cast<double>(found.size() + gold->size());
      for (const auto& link : *gold) common += std::ranges::binary_search(found, link);
      return;
    }
    double largest = 0;
    std::set<Index> sources;
    for (const auto& [source, target] : found) {
      largest += soft.row(target)[static_cast<std::size_t>(source)];
      sources.insert(source);
    }
    const Index possible = std::min(soft.sources, soft.targets);
    if (possible == 0) return;
    sure += largest / static_cast<double>(soft.targets) * static_cast<double>(sources.size()) /
            static_cast<double>(possible);
  }

  double value() const { return links > 0 ? 2 * common / links : sure; }  // 1 - error rate
};

}  // namespace

std::vector<Index> words_of_a_token(Index count) {
  std::vector<Index> words(static_cast<std::size_t>(count));
  std::iota(words.begin(), words.end(), Index{0});
  return words;
}

std::vector<WordAlignment> align(const SequenceModel& model, std::span<const PairToAlign> pairs,
                                 const AlignmentHead& from) {
  std::vector<WordAlignment> result;
  watch(model, pairs, [&](const std::vector<AttentionCapture>& layers, std::size_t i, Index row) {
    const Soft soft = soft_by(layers, row, pairs[i], from);
    result.push_back({links_of(soft), Tensor::of({soft.targets, soft.sources}, soft.weights)});
  });
  return result;
}

AlignmentHead best_alignment_head(const SequenceModel& model, std::span<const PairToAlign> pairs,
                                  std::span<const Links> gold) {
  check(gold.empty() || gold.size() == pairs.size(), "expected gold links for each of ",
        pairs.size(), " pairs, got ", gold.size());
  std::vector<AlignmentHead> heads;
  std::vector<Verdict> verdicts;
  watch(model, pairs, [&](const std::vector<AttentionCapture>& layers, std::size_t i, Index row) {
    if (heads.empty()) heads = every_head(layers);
    verdicts.resize(heads.size());
    const std::vector<AttentionCapture> ready = computed(layers, row);
    for (std::size_t h = 0; h < heads.size(); ++h)
      verdicts[h].add(soft_by(ready, row, pairs[i], heads[h]), gold.empty() ? nullptr : &gold[i]);
  });
  if (heads.empty()) return {};
  const auto best = std::ranges::max_element(verdicts, {}, &Verdict::value);
  return heads[static_cast<std::size_t>(best - verdicts.begin())];
}

std::string moses(const Links& links) {
  std::string text;
  for (const auto& [source, target] : links) {
    if (!text.empty()) text += ' ';
    text += std::to_string(source) + "-" + std::to_string(target);
  }
  return text;
}

}  // namespace regard
