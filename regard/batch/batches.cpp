#include "regard/batch/batches.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/shuffle.h"

namespace regard {
namespace {

PairLoad sum(const PairLoad& a, const PairLoad& b) {
  return {a.source + b.source, a.target + b.target};
}

Index most_of(const PairLoad& load) {
  return std::max(load.source, load.target);
}

/// Cuts a run into consecutive groups, each of at most `most` tokens on either side or of one item.
std::vector<std::span<Index>> cut(std::span<Index> order, std::span<const PairLoad> pairs,
                                  Index most) {
  std::vector<std::span<Index>> groups;
  std::size_t begin = 0;
  PairLoad load;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const PairLoad more = pairs[static_cast<std::size_t>(order[i])];
    if (i > begin && most_of(sum(load, more)) > most) {
      groups.push_back(order.subspan(begin, i - begin));
      begin = i;
      load = {};
    }
    load = sum(load, more);
  }
  if (begin < order.size()) groups.push_back(order.subspan(begin));
  return groups;
}

}  // namespace

std::vector<std::vector<Index>> batches_of_epoch(std::span<const IdPair> pairs,
                                                 const BatchSpec& spec, Rng rng) {
  std::vector<PairLoad> loads;
  loads.reserve(pairs.size());
  for (const IdPair& pair : pairs)
    loads.push_back(
        {static_cast<Index>(pair.source.size()), static_cast<Index>(pair.target.size()) + 1});
  return batches_of_epoch(loads, spec, rng);
}

std::vector<std::vector<Index>> batches_of_epoch(std::span<const PairLoad> pairs,
                                                 const BatchSpec& spec, Rng rng) {
  constexpr Index kMax = Index{1} << 31;
  check(spec.tokens > 0 && spec.tokens < kMax, "tokens of a batch must be 1 to 2^31, not ",
        spec.tokens);
  check(spec.pool > 0 && spec.pool < kMax, "a pool must be 1 to 2^31 batches, not ", spec.pool);
  std::vector<Index> order(pairs.size());
  std::iota(order.begin(), order.end(), Index{0});
  shuffle(std::span(order), rng.fork("sentences"));

  std::vector<std::vector<Index>> batches;
  for (const std::span<Index> pool : cut(order, pairs, spec.tokens * spec.pool)) {
    // Stable, so that sentences of the same length stay as the shuffle has left them.
    std::ranges::stable_sort(pool, {}, [&](Index i) {
      const PairLoad& load = pairs[static_cast<std::size_t>(i)];
      return std::pair(load.target, load.source);
    });
    for (const std::span<Index> batch : cut(pool, pairs, spec.tokens))
      batches.emplace_back(batch.begin(), batch.end());
  }
  shuffle(std::span(batches), rng.fork("batches"));
  return batches;
}

}  // namespace regard
