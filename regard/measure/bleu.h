#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "regard/base/real.h"
#include "regard/measure/line_statistics.h"

namespace regard {

struct BleuSpec {
  std::string tokenize = "13a";  ///< 13a, none, char or intl
  bool lower_case = false;
};

struct Bleu {
  double score = 0;  ///< 0 .. 100
  std::array<double, 4> precisions{};
  double brevity_penalty = 1;
  Index hypothesis_length = 0, reference_length = 0;  ///< in tokens
  std::string signature{};
};

/// BLEU of a corpus (Papineni et al. 2002), as sacreBLEU computes it (Post 2018):
///   100 BP (p1 p2 p3 p4)^(1/4),   BP = min(1, exp(1 - reference length / hypothesis length)),
/// with exponential smoothing: the i-th order without a match counts as 1 / 2^i matches. Several
/// references: an n-gram may match as often as it occurs in any one of them, and the length is the
/// closest one's. Lines go in as they are: white space at their end does not count.
/// references [reference][line]; REQUIRES at least one, each with as many lines as hypotheses.
Bleu bleu(std::span<const std::string> hypotheses,
          const std::vector<std::vector<std::string>>& references, const BleuSpec& spec = {});

/// The counts of each line. A line by itself has few n-grams, so its score averages only the orders
/// it is long enough for (eff:yes), as sacreBLEU's --sentence-level does.
LineStatistics bleu_statistics(std::span<const std::string> hypotheses,
                               const std::vector<std::vector<std::string>>& references,
                               const BleuSpec& spec = {});

}  // namespace regard
