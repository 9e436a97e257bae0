#include "regard/train/validation.h"

#include <algorithm>

#include "regard/base/elementary.h"
#include "regard/batch/batch.h"
#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "regard/measure/bleu.h"
#include "regard/tensor/memory.h"

namespace regard {
namespace {

/// Mean surprisal per target token; nothing if it was stopped.
std::optional<double> mean_surprisal(const SequenceModel& model, const ValidationSet& set,
                                     const ValidationSpec& spec, Arena& arena) {
  const NoGrad quiet;
  double sum = 0;
  Index tokens = 0;
  for (const std::vector<Index>& chosen :
       batches_of_epoch(set.ids, {.tokens = spec.batch_tokens}, Rng(0))) {
    if (spec.stop()) return std::nullopt;
    const StepScope scope(arena);
    const Batch batch = batch_of(set.ids, chosen);
    const Var rows =
        model.forward(TokenIds::ragged(batch.source), TokenIds::ragged(batch.decoder_input), {});
    for (const double each : model.output().loss(rows, batch.labels, {}, 1).surprisal) sum += each;
    tokens += batch.target_tokens();
  }
  return sum / static_cast<double>(tokens);
}

/// Greedy translations of the first sentences; fewer where it was stopped.
std::vector<std::string> translations(const SequenceModel& model, const ModelInfo& info,
                                      const ValidationSet& set, std::size_t count,
                                      const std::function<bool()>& stop) {
  constexpr std::size_t kTogether = 200;
  const DecodeSpec greedy{.beam = 1,
                          .max_length = max_output_tokens(info.spec, DecodeSpec().max_length)};
  std::vector<std::string> result;
  while (result.size() < count && !stop()) {
    std::vector<std::vector<std::int32_t>> sources;
    for (std::size_t i = result.size(); i < count && sources.size() < kTogether; ++i)
      sources.push_back(set.ids[i].source);
    for (const std::vector<Hypothesis>& found : translate(model, sources, greedy))
      result.push_back(info.target->decode(found.front().ids));
  }
  heap().drop_cache();  // a search leaves blocks of many sizes behind that training has no use for
  return result;
}

}  // namespace

std::optional<ValidationResult> validate(const SequenceModel& model, const ModelInfo& info,
                                         const ValidationSet& set, const ValidationSpec& spec,
                                         Arena& arena) {
  const std::optional<double> loss = mean_surprisal(model, set, spec, arena);
  if (!loss) return std::nullopt;
  ValidationResult result{.loss = *loss, .perplexity = elementary::exp(*loss)};
  const auto at_most = [&](Index wanted) {
    return std::min(set.text.size(), static_cast<std::size_t>(wanted));
  };
  const std::size_t scored = at_most(spec.sentences), shown = at_most(spec.samples);
  std::vector<std::string> found =
      translations(model, info, set, std::max(scored, shown), spec.stop);
  if (found.size() < std::max(scored, shown)) return std::nullopt;
  for (std::size_t i = 0; i < shown; ++i)
    result.samples.push_back({set.text[i].source, set.text[i].target, found[i]});
  if (scored == 0) return result;
  std::vector<std::string> references;
  for (std::size_t i = 0; i < scored; ++i) references.push_back(set.text[i].target);
  found.resize(scored);
  result.bleu = bleu(found, {references}).score;
  return result;
}

}  // namespace regard
