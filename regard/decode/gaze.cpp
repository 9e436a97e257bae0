#include "regard/decode/gaze.h"

#include <numeric>
#include <utility>

#include "regard/decode/alignment.h"

namespace regard {
namespace {

std::vector<Index> count_up(Index count) {
  std::vector<Index> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), Index{0});
  return numbers;
}

}  // namespace

// An alignment in which each row and each token is a word of its own.
std::vector<Tensor> gazes(const SequenceModel& model, std::span<const SaidOfSource> pairs,
                          const AlignmentHead& from) {
  std::vector<PairToAlign> all;
  for (const SaidOfSource& pair : pairs)
    all.push_back({pair.source, pair.target,
                   count_up(model.source_rows(static_cast<Index>(pair.source.size()))),
                   count_up(static_cast<Index>(pair.target.size()))});
  std::vector<Tensor> found;
  for (WordAlignment& each : align(model, all, from)) found.push_back(std::move(each.soft));
  return found;
}

}  // namespace regard
