#include "regard/train/validation.h"

#include <algorithm>

#include "regard/base/elementary.h"
#include "regard/decode/line.h"
#include "regard/decode/search.h"
#include "regard/measure/bleu.h"
#include "regard/model/architecture.h"
#include "regard/tensor/memory.h"

namespace regard {
namespace {

/// What a model that reads no source is given of a text, to continue it.
std::vector<std::int32_t> beginning_of(const std::vector<std::int32_t>& ids) {
  return {ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>((ids.size() + 2) / 3)};
}

/// Greedy translations of the first sentences, or continuations of their first thirds; fewer where
/// it was stopped.
std::vector<std::string> translations(const SequenceModel& model, const ModelInfo& info,
                                      const ValidationSet& set, std::size_t count,
                                      const std::function<bool()>& stop) {
  constexpr std::size_t kTogether = 200;
  const bool translates = reads_source(info.spec);
  const DecodeSpec greedy{.beam = 1,
                          .max_length = max_output_tokens(info.spec, DecodeSpec().max_length)};
  std::vector<std::string> result;
  while (result.size() < count && !stop()) {
    std::vector<std::vector<std::int32_t>> sources, prefixes;
    for (std::size_t i = result.size(); i < count && sources.size() < kTogether; ++i) {
      sources.push_back(set.ids[i].source);
      if (translates) continue;
      // The text itself, which is not read: it bounds the continuation as a source bounds its
      // translation, by its length.
      sources.back() = set.ids[i].target;
      sources.back().push_back(kEos);
      prefixes.push_back(beginning_of(set.ids[i].target));
    }
    for (const std::vector<Hypothesis>& found :
         translate(model, sources, greedy, {.prefixes = prefixes}))
      result.push_back(info.target->decode(found.front().ids));
  }
  heap().drop_cache();  // a search leaves blocks of many sizes behind that training has no use for
  return result;
}

}  // namespace

std::optional<double> mean_surprisal(const SequenceModel& model,
                                     const std::vector<std::vector<Index>>& batches,
                                     const std::function<Batch(std::span<const Index>)>& batch,
                                     const std::function<bool()>& stop, Arena& arena) {
  const NoGrad quiet;
  double sum = 0;
  Index tokens = 0;
  for (const std::vector<Index>& chosen : batches) {
    if (stop()) return std::nullopt;
    const StepScope scope(arena);
    const Batch read = batch(chosen);
    const Var rows =
        model.forward(TokenIds::ragged(read.source), TokenIds::ragged(read.decoder_input), {});
    for (const double each : model.output().loss(rows, read.labels, {}, 1).surprisal) sum += each;
    tokens += read.target_tokens();
  }
  return sum / static_cast<double>(tokens);
}

std::vector<Measure> token_measures(double loss) {
  return {{"perplexity", "ppl", 2, elementary::exp(loss)}};
}

std::optional<ValidationResult> validate(const SequenceModel& model, const ModelInfo& info,
                                         const ValidationSet& set, const ValidationSpec& spec,
                                         Arena& arena) {
  const std::optional<double> loss = mean_surprisal(
      model, batches_of_epoch(set.ids, {.tokens = spec.batch_tokens}, Rng(0)),
      [&](std::span<const Index> chosen) { return batch_of(set.ids, chosen); }, spec.stop, arena);
  if (!loss) return std::nullopt;
  ValidationResult result{.loss = *loss, .measures = token_measures(*loss)};
  const auto at_most = [&](Index wanted) {
    return std::min(set.text.size(), static_cast<std::size_t>(wanted));
  };
  const bool translates = reads_source(info.spec);
  const std::size_t scored = at_most(translates ? spec.sentences : 0);
  const std::size_t shown = at_most(spec.samples);
  std::vector<std::string> found =
      translations(model, info, set, std::max(scored, shown), spec.stop);
  if (found.size() < std::max(scored, shown)) return std::nullopt;
  for (std::size_t i = 0; i < shown; ++i)
    result.samples.push_back(
        {translates ? set.text[i].source : info.target->decode(beginning_of(set.ids[i].target)),
         set.text[i].target, found[i]});
  if (scored == 0) return result;
  std::vector<std::string> references;
  for (std::size_t i = 0; i < scored; ++i) references.push_back(set.text[i].target);
  found.resize(scored);
  result.quality = {"bleu", "BLEU", 1, bleu(found, {references}).score};
  return result;
}

}  // namespace regard
