#include "regard/decode/score.h"

#include <algorithm>

#include "regard/base/check.h"
#include "regard/decode/candidates.h"
#include "regard/tokens/tokenizer.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

/// log p of each row's target: [N].
std::vector<double> target_log_p(const OutputLayer& output, const Tensor& rows,
                                 const Ids& targets) {
  std::vector<TokenAsk> asks;
  for (const std::int32_t target : targets) asks.push_back({.named = target});
  std::vector<double> result;
  for (const NextTokens& next : output.next_tokens(rows, asks))
    result.push_back(checked_log_p(next.named));
  return result;
}

/// Scores of pairs read together, put at the end of `result`.
void score_batch(const SequenceModel& model, const std::vector<Ids>& sources,
                 const std::vector<Ids>& targets, std::vector<PairScore>& result) {
  std::vector<Ids> decoder_input;
  Ids wanted;
  for (const Ids& target : targets) {
    decoder_input.push_back({kBos});
    decoder_input.back().insert(decoder_input.back().end(), target.begin(), target.end());
    wanted.insert(wanted.end(), target.begin(), target.end());
    wanted.push_back(kEos);
  }
  const Var rows =
      model.forward(TokenIds::ragged(sources), TokenIds::ragged(decoder_input), Pass{});
  const std::vector<double> log_p = target_log_p(model.output(), rows.value(), wanted);
  auto from = log_p.begin();
  for (const Ids& one : decoder_input) {
    PairScore score;
    score.tokens.assign(from, from + static_cast<std::ptrdiff_t>(one.size()));
    from += static_cast<std::ptrdiff_t>(one.size());
    for (const double token : score.tokens) score.log_probability += token;
    result.push_back(std::move(score));
  }
}

}  // namespace

std::vector<PairScore> score_pairs(const SequenceModel& model, std::span<const Ids> sources,
                                   std::span<const Ids> targets, Index batch_tokens) {
  check(sources.size() == targets.size(), "expected as many targets as sources, ", sources.size(),
        ", got ", targets.size());
  const NoGrad quiet;
  std::vector<PairScore> result;
  std::vector<Ids> left, right;
  Index tokens = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Index more = model.source_rows(static_cast<Index>(sources[i].size())) +
                       static_cast<Index>(targets[i].size()) + 1;
    if (!left.empty() && tokens + more > batch_tokens) {
      score_batch(model, left, right, result);
      left.clear();
      right.clear();
      tokens = 0;
    }
    for (const std::int32_t id : targets[i])
      check(id >= 0 && id < model.output().vocabulary(), "target token ", id,
            " is outside the vocabulary of ", model.output().vocabulary());
    left.push_back(sources[i]);
    right.push_back(targets[i]);
    tokens += more;
  }
  if (!left.empty()) score_batch(model, left, right, result);
  return result;
}

}  // namespace regard
