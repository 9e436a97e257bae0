#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// Links of one sentence pair: (source word, target word), from 0, sorted, each once.
using Alignment = std::vector<std::pair<Index, Index>>;

/// "0-0 1-2" -> (0, 0), (1, 2); an empty line has no links. Throws Error(input) that begins with
/// `where`: "gold.align:7".
Alignment parse_moses(std::string_view line, std::string_view where);

struct AlignmentScore {
  double error_rate = 0;  ///< 0: as the gold; 1: no link in common
  double precision = 1, recall = 1;
};

/// Alignment error rate (Och and Ney 2003) over all sentences, every gold link being sure:
///   1 - 2 |found and gold| / (|found| + |gold|).
/// No links anywhere: no errors. Throws Error(input) naming both numbers if they differ.
AlignmentScore alignment_error_rate(std::span<const Alignment> found,
                                    std::span<const Alignment> gold);

}  // namespace regard
