#pragma once

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "regard/measure/bleu.h"
#include "regard/measure/chrf.h"

namespace regard::testing {

/// Something to measure: as JSON {"hypotheses", "references", "tokenize", "lower_case"}.
struct MeasureCase {
  std::vector<std::string> hypotheses;
  std::vector<std::vector<std::string>> references;  // [reference][line]
  BleuSpec spec{};
};

/// What one program says of a case: score, four precisions, brevity penalty, both lengths, chrF,
/// chrF++.
using Figures = std::vector<double>;

inline Figures our_figures(const MeasureCase& c) {
  const Bleu b = bleu(c.hypotheses, c.references, c.spec);
  Figures all{b.score};
  all.insert(all.end(), b.precisions.begin(), b.precisions.end());
  all.insert(all.end(), {b.brevity_penalty, static_cast<double>(b.hypothesis_length),
                         static_cast<double>(b.reference_length)});
  for (const Index order : {0, 2})
    all.push_back(
        chrf(c.hypotheses, c.references, {.word_order = order, .lower_case = c.spec.lower_case})
            .score);
  return all;
}

constexpr const char* kSacrebleuScript = R"(
import json, sys
from sacrebleu.metrics import BLEU, CHRF
for case in json.load(open(sys.argv[1], encoding='utf-8')):
    lower, texts = case['lower_case'], (case['hypotheses'], case['references'])
    b = BLEU(tokenize=case['tokenize'], lowercase=lower, force=True).corpus_score(*texts)
    print(json.dumps([b.score, *b.precisions, b.bp, b.sys_len, b.ref_len]
        + [CHRF(word_order=n, lowercase=lower).corpus_score(*texts).score for n in (0, 2)]))
)";

/// A command that runs Python where sacreBLEU is installed; empty if there is none.
inline std::string python_with_sacrebleu() {
  const char* const given = std::getenv("REGARD_PYTHON");
  const std::string python = given ? given : "python3";
  const bool works =
      std::system(("'" + python + "' -c 'import sacrebleu' 2>/dev/null").c_str()) == 0;
  return works ? python : "";
}

/// The same of sacreBLEU itself, one per case; fewer where it failed.
inline std::vector<Figures> sacrebleu_figures(const std::string& python,
                                              const std::vector<MeasureCase>& cases) {
  nlohmann::json request = nlohmann::json::array();
  for (const MeasureCase& c : cases)
    request.push_back({{"hypotheses", c.hypotheses},
                       {"references", c.references},
                       {"tokenize", c.spec.tokenize},
                       {"lower_case", c.spec.lower_case}});
  std::string folder = (std::filesystem::temp_directory_path() / "regard-bleu-XXXXXX").string();
  if (!mkdtemp(folder.data())) return {};
  std::ofstream(folder + "/cases.json") << request.dump();
  std::ofstream(folder + "/ask.py") << kSacrebleuScript;
  std::string answer;
  FILE* const pipe =
      popen(("'" + python + "' " + folder + "/ask.py " + folder + "/cases.json").c_str(), "r");
  std::array<char, 1 << 14> piece{};
  for (std::size_t n; pipe && (n = fread(piece.data(), 1, piece.size(), pipe)) > 0;)
    answer.append(piece.data(), n);
  if (pipe) pclose(pipe);
  std::filesystem::remove_all(folder);

  std::vector<Figures> all;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);)
    all.push_back(nlohmann::json::parse(line).get<Figures>());
  return all;
}

}  // namespace regard::testing
