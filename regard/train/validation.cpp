#include "regard/train/validation.h"

#include <cmath>

#include "regard/decode/search.h"
#include "regard/measure/bleu.h"
#include "regard/tensor/memory.h"
#include "regard/train/batch.h"

namespace regard {
namespace {

/// Mean surprisal per target token.
double mean_surprisal(const SequenceModel& model, const ValidationSet& set, Index batch_tokens,
                      Arena& arena) {
  const NoGrad quiet;
  double sum = 0;
  Index tokens = 0;
  for (const std::vector<Index>& chosen :
       batches_of_epoch(set.ids, {.tokens = batch_tokens}, Rng(0))) {
    const StepScope scope(arena);
    const Batch batch = batch_of(set.ids, chosen);
    const Var rows = model.read(batch.source, batch.said, {});
    for (const double each : model.output().loss(rows, batch.answers, {}, 1).surprisal) sum += each;
    tokens += batch.target_tokens();
  }
  return sum / static_cast<double>(tokens);
}

std::vector<std::string> translations(const SequenceModel& model, const ModelCard& card,
                                      const ValidationSet& set, std::size_t count) {
  std::vector<std::vector<std::int32_t>> sources;
  for (std::size_t i = 0; i < count; ++i) sources.push_back(set.ids[i].source);
  std::vector<std::string> result;
  for (const std::vector<Hypothesis>& found : translate(model, sources, {.beam = 1}))
    result.push_back(card.target->decode(found.front().ids));
  return result;
}

}  // namespace

Validated validate(const SequenceModel& model, const ModelCard& card, const ValidationSet& set,
                   const ValidationSpec& spec, Arena& arena) {
  Validated result;
  result.loss = mean_surprisal(model, set, spec.batch_tokens, arena);
  result.perplexity = std::exp(result.loss);
  const std::size_t count =
      std::min(set.text.size(), static_cast<std::size_t>(std::max(spec.sentences, spec.samples)));
  if (count == 0) return result;
  const std::vector<std::string> found = translations(model, card, set, count);
  heap().drop_cache();  // a search leaves blocks of many sizes behind that training has no use for
  std::vector<std::string> references;
  for (std::size_t i = 0; i < count; ++i) references.push_back(set.text[i].target);
  if (spec.sentences > 0) result.bleu = bleu(found, {references}).score;
  for (std::size_t i = 0; i < count && static_cast<Index>(i) < spec.samples; ++i)
    result.samples.push_back({set.text[i].source, set.text[i].target, found[i]});
  return result;
}

}  // namespace regard
