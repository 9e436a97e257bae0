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
#include "regard/measure/bootstrap.h"
#include "regard/measure/chrf.h"
#include "regard/measure/ter.h"

namespace regard::testing {

/// Something to measure: as JSON {"hypotheses", "references", "tokenize", "lower_case"}.
struct MeasureCase {
  std::vector<std::string> hypotheses;
  std::vector<std::vector<std::string>> references;  // [reference][line]
  BleuSpec spec{};
  std::vector<std::string> baseline{};
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

/// TER, edits and length; BLEU, chrF and TER of each line; p, both means and both intervals of
/// each.
inline Figures our_line_figures(const MeasureCase& c) {
  const Ter t = ter(c.hypotheses, c.references);
  Figures all{t.score, t.edits, t.reference_length};
  const auto statistics = [&](const std::vector<std::string>& lines) {
    return std::array{bleu_statistics(lines, c.references, c.spec),
                      chrf_statistics(lines, c.references, {.lower_case = c.spec.lower_case}),
                      ter_statistics(lines, c.references)};
  };
  const auto system = statistics(c.hypotheses), baseline = statistics(c.baseline);
  for (const LineStatistics& metric : system)
    for (const auto& line : metric.lines) all.push_back(metric.sentence(line));
  for (std::size_t i = 0; i < system.size(); ++i) {
    const PairedBootstrap b = paired_bootstrap(baseline[i], system[i]);
    all.insert(all.end(), {b.p_value, b.baseline.mean, b.system.mean, b.baseline.ci, b.system.ci});
  }
  return all;
}

constexpr const char* kSacrebleuLinesScript = R"(
import json, sys
from sacrebleu.metrics import BLEU, CHRF, TER
from sacrebleu.significance import PairedTest
for case in json.load(open(sys.argv[1], encoding='utf-8')):
    lower, hypotheses, references = case['lower_case'], case['hypotheses'], case['references']
    bleu = lambda eff: BLEU(tokenize=case['tokenize'], lowercase=lower, effective_order=eff, force=True)
    t = TER().corpus_score(hypotheses, references)
    figures = [t.score, t.num_edits, t.ref_length]
    for metric in (bleu(True), CHRF(lowercase=lower), TER()):
        figures += [metric.sentence_score(h, r).score for h, r in zip(hypotheses, zip(*references))]
    metrics = {'BLEU': bleu(False), 'CHRF': CHRF(lowercase=lower), 'TER': TER()}
    _, results = PairedTest([('a', case['baseline']), ('b', hypotheses)], metrics, references, 'bs')()
    for a, b in (results[name] for name in results if name != 'System'):
        figures += [b.p_value, a.mean, b.mean, a.ci, b.ci]
    print(json.dumps([float(x) for x in figures]))
)";

/// A command that runs Python where sacreBLEU is installed; empty if there is none.
inline std::string python_with_sacrebleu() {
  const char* const given = std::getenv("REGARD_PYTHON");
  const std::string python = given ? given : "python3";
  const bool works =
      std::system(("'" + python + "' -c 'import sacrebleu' 2>/dev/null").c_str()) == 0;
  return works ? python : "";
}

/// What `script` prints of sacreBLEU's figures, one list per case; fewer where it failed.
inline std::vector<Figures> sacrebleu_figures(const std::string& python,
                                              const std::vector<MeasureCase>& cases,
                                              const char* script = kSacrebleuScript) {
  nlohmann::json request = nlohmann::json::array();
  for (const MeasureCase& c : cases)
    request.push_back({{"hypotheses", c.hypotheses},
                       {"baseline", c.baseline},
                       {"references", c.references},
                       {"tokenize", c.spec.tokenize},
                       {"lower_case", c.spec.lower_case}});
  std::string folder = (std::filesystem::temp_directory_path() / "regard-bleu-XXXXXX").string();
  if (!mkdtemp(folder.data())) return {};
  std::ofstream(folder + "/cases.json") << request.dump();
  std::ofstream(folder + "/ask.py") << script;
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
