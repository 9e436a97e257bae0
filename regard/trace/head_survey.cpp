#include "regard/trace/head_survey.h"

namespace regard {

std::vector<SurveyedHead> survey_heads(const LoadedModel& model,
                                       std::span<const std::string> sentences) {
  constexpr Index kMaxLength = 64;
  std::vector<Trace> traces;
  for (const std::string& sentence : sentences)
    traces.push_back(trace_translation(
        model, "", sentence, {.decode = {.beam = 1, .max_length = kMaxLength}, .top = 0}));
  std::vector<SurveyedHead> heads;
  if (traces.empty()) return heads;
  for (std::size_t i = 0; i < traces.front().attention.size(); ++i) {
    const TracedHead& first = traces.front().attention[i];
    std::vector<HeadWeights> over_all;
    double bits = 0, rows = 0;
    for (const Trace& trace : traces) {
      const TracedHead& same = trace.attention[i];
      over_all.push_back(same.matrix());
      bits += same.entropy * static_cast<double>(same.rows);
      rows += static_cast<double>(same.rows);
    }
    heads.push_back({.kind = first.kind,
                     .layer = first.layer,
                     .head = first.head,
                     .tag = tag_over(over_all),
                     .entropy = rows > 0 ? bits / rows : 0});
  }
  return heads;
}

}  // namespace regard
