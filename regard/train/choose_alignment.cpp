#include "regard/train/choose_alignment.h"

#include <algorithm>

#include "regard/decode/alignment.h"
#include "regard/measure/alignment.h"

namespace regard {

AlignmentHead choose_alignment_head(const SequenceModel& model, const ModelInfo& info,
                                    const ValidationSet& set) {
  constexpr std::size_t kSentences = 200;
  std::vector<PairToAlign> pairs;
  std::vector<Links> gold;
  for (std::size_t i = 0; i < std::min(kSentences, set.ids.size()); ++i) {
    const IdPair& ids = set.ids[i];
    pairs.push_back(
        {ids.source, ids.target, info.source->words(ids.source), info.target->words(ids.target)});
    const std::string& known = set.text[i].alignment;
    if (!known.empty()) gold.push_back(parse_moses(known, "validation data"));
  }
  if (pairs.empty()) return {};
  return best_alignment_head(model, pairs,
                             gold.size() == pairs.size() ? gold : std::vector<Links>());
}

}  // namespace regard
