#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regard/model/alignment_head.h"
#include "regard/model/sequence_model.h"

namespace regard {

/// A source and what is said of it, without begin and end.
struct SaidOfSource {
  std::vector<std::int32_t> source, target;
};

/// Where a model looked as it said each token: [tokens, rows of the source], by a head of its
/// cross-attention, or by the mean of several. Throws Error(usage) if it has no such head.
std::vector<Tensor> gazes(const SequenceModel& model, std::span<const SaidOfSource> pairs,
                          const AlignmentHead& from);

}  // namespace regard
