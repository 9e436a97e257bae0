#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "regard/measure/line_statistics.h"

namespace regard {

/// Lines and the references they are compared with: [reference][line].
struct ComparedText {
  const std::vector<std::string>& lines;
  const std::vector<std::vector<std::string>>& references;
};

struct MetricChoice {
  std::string metric;  ///< bleu, chrf, chrf++ or ter
  std::string tokenize = "13a";
  bool lower_case = false;
};

/// The names after --metric. Throws Error(usage) that lists what there is.
std::vector<std::string> parse_metrics(const std::string& list);

/// What sacreBLEU calls the metric: "chrF2++".
std::string name_of_metric(const std::string& metric);

/// A score of a whole text: for people, and for programs.
struct TextScore {
  std::string name, signature;
  double score = 0;
  int decimals = 2;     ///< of the score, for people
  std::string details;  ///< what follows the score on its line
  std::vector<std::pair<std::string, nlohmann::ordered_json>> fields;  ///< what JSON has besides
};

TextScore text_score(const MetricChoice& choice, const ComparedText& text);
LineStatistics line_statistics(const MetricChoice& choice, const ComparedText& text);

/// "BLEU 31.25  .." and a line feed.
std::string as_line(const TextScore& score);
nlohmann::ordered_json as_json(const TextScore& score);

}  // namespace regard
