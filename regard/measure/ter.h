#pragma once

#include <span>
#include <string>
#include <vector>

#include "regard/base/real.h"
#include "regard/measure/line_statistics.h"

namespace regard {

struct Ter {
  double score = 0;  ///< 0: equal; may exceed 100
  double edits = 0, reference_length = 0;
  std::string signature{};
};

/// Translation edit rate (Snover et al. 2006) of a corpus, as sacreBLEU computes it:
///   100 (words inserted, deleted, replaced, and runs of words moved) / reference length.
/// Words are runs between white space, in lower case. The moves are found by Tercom's greedy
/// search, with its limits: at most 10 words, over at most 50, and 1000 tries per line. Several
/// references: the fewest edits, and the mean length. references as for bleu().
Ter ter(std::span<const std::string> hypotheses,
        const std::vector<std::vector<std::string>>& references);

LineStatistics ter_statistics(std::span<const std::string> hypotheses,
                              const std::vector<std::vector<std::string>>& references);

}  // namespace regard
