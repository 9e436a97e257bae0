#include "regard/decode/search.h"

#include "regard/base/check.h"
#include "regard/decode/pool.h"

namespace regard {
namespace {

using Ids = std::vector<std::int32_t>;

void check_counts(std::span<const Ids> sources, const SearchHooks& hooks) {
  const auto fits = [&](std::size_t count) { return count == 0 || count == sources.size(); };
  check(fits(hooks.prefixes.size()), "expected a prefix for each of ", sources.size(),
        " sources, got ", hooks.prefixes.size());
  check(fits(hooks.places.size()), "expected a place for each of ", sources.size(),
        " sources, got ", hooks.places.size());
  check(fits(hooks.logs.size()), "expected a log for each of ", sources.size(), " sources, got ",
        hooks.logs.size());
}

PoolSentence sentence_of(std::span<const Ids> sources, std::size_t i, const DecodeSpec& spec,
                         const SearchHooks& hooks) {
  return {
      .source = sources[i],
      .spec = spec,
      .place = hooks.places.empty() ? SourcePlace{.line = static_cast<Index>(i)} : hooks.places[i],
      .prefix = hooks.prefixes.empty() ? Ids() : hooks.prefixes[i],
      .log = hooks.logs.empty() ? nullptr : &hooks.logs[i]};
}

}  // namespace

std::vector<std::vector<Hypothesis>> translate(const SequenceModel& model,
                                               std::span<const Ids> sources, const DecodeSpec& spec,
                                               const SearchHooks& hooks) {
  check_counts(sources, hooks);
  TranslationPool pool(model, spec.batch_tokens);
  for (std::size_t i = 0; i < sources.size(); ++i) pool.add(sentence_of(sources, i, spec, hooks));
  std::vector<std::vector<Hypothesis>> results(sources.size());  // a ticket is the source's number
  std::size_t told = 0;
  while (!pool.idle()) {
    for (PoolResult& result : pool.advance()) {
      if (result.error) std::rethrow_exception(result.error);
      results[result.ticket] = std::move(result.best);
    }
    for (; told < results.size() && !results[told].empty(); ++told)
      if (hooks.done) hooks.done(static_cast<Index>(told), results[told]);
  }
  return results;
}

}  // namespace regard
