#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "regard/model/alignment_head.h"
#include "regard/model/sequence_model.h"

namespace regard {

/// (source word, target word), from 0, sorted, each once.
using Links = std::vector<std::pair<Index, Index>>;

/// A sentence and its translation, as tokens and as words.
struct PairToAlign {
  std::vector<std::int32_t> source;  ///< with its end
  std::vector<std::int32_t> target;  ///< without begin and end
  /// Which word, from 0, each token belongs to; -1, or past the list's end: none.
  std::vector<Index> source_words, target_words;
};

/// Words of which each is one token.
std::vector<Index> words_of_a_token(Index count);

/// Which source word each target word comes from.
struct WordAlignment {
  Links links;  ///< of each target word, the source word with the largest weight
  Tensor soft;  ///< [target words, source words]: weights, the mean of the target word's tokens,
                ///< the sum of the source word's
};

/// Alignments by cross-attention. Weights on the end token, and tokens of no word, are left out.
/// Throws Error(usage) if the model has no such layer or head.
std::vector<WordAlignment> align(const SequenceModel& model, std::span<const PairToAlign> pairs,
                                 const AlignmentHead& from);

/// The head whose links have the lowest alignment error rate against the gold ones over all pairs.
/// Without gold, the head with the highest mean of
///   (mean over target words of the largest weight) * (source words linked / words that could be).
AlignmentHead best_alignment_head(const SequenceModel& model, std::span<const PairToAlign> pairs,
                                  std::span<const Links> gold = {});

/// "0-0 1-2": source word, target word.
std::string moses(const Links& links);

}  // namespace regard
