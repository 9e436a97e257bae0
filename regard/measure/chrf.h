#pragma once

#include <span>
#include <string>
#include <vector>

#include "regard/base/real.h"
#include "regard/measure/line_statistics.h"

namespace regard {

struct ChrfSpec {
  Index word_order = 0;  ///< 0: chrF; 2: chrF++
  bool lower_case = false;
};

struct Chrf {
  double score = 0;  ///< 0 .. 100
  std::string signature{};
};

/// chrF (Popović 2015) and chrF++ (Popović 2017) of a corpus, as sacreBLEU computes them:
///   100 F_beta of the mean precision and mean recall over 1- to 6-grams of characters (white space
/// left out) and, for chrF++, 1- and 2-grams of words; beta = 2; orders that either side is too
/// short for are left out. Several references: each line takes the one that scores best.
/// references [reference][line]; REQUIRES at least one, each with as many lines as hypotheses, and
/// word_order 0 .. 4.
Chrf chrf(std::span<const std::string> hypotheses,
          const std::vector<std::vector<std::string>>& references, const ChrfSpec& spec = {});

/// The counts of each line.
LineStatistics chrf_statistics(std::span<const std::string> hypotheses,
                               const std::vector<std::vector<std::string>>& references,
                               const ChrfSpec& spec = {});

}  // namespace regard
