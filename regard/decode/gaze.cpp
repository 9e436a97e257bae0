#include "regard/decode/gaze.h"

#include <utility>

#include "regard/decode/alignment.h"

namespace regard {

// An alignment in which each row and each token is a word of its own.
std::vector<Tensor> gazes(const SequenceModel& model, std::span<const SaidOfSource> pairs,
                          const AlignmentHead& from) {
  std::vector<PairToAlign> all;
  for (const SaidOfSource& pair : pairs)
    all.push_back({pair.source, pair.target,
                   words_of_a_token(model.source_rows(static_cast<Index>(pair.source.size()))),
                   words_of_a_token(static_cast<Index>(pair.target.size()))});
  std::vector<Tensor> found;
  for (WordAlignment& each : align(model, all, from)) found.push_back(std::move(each.soft));
  return found;
}

}  // namespace regard
