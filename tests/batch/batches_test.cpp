#include "regard/batch/batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "regard/base/check.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;
using Batches = std::vector<std::vector<Index>>;

std::vector<IdPair> random_pairs(Draw& draw, Index count, Index longest) {
  std::vector<IdPair> pairs(static_cast<std::size_t>(count));
  for (IdPair& pair : pairs) {
    pair.source.resize(static_cast<std::size_t>(draw.integer(0, longest)));
    pair.target.resize(static_cast<std::size_t>(draw.integer(0, longest)));
  }
  return pairs;
}

struct Load {
  Index source = 0, target = 0, longest_target = 0;
};

Load load_of(const std::vector<Index>& batch, const std::vector<IdPair>& pairs) {
  Load load;
  for (const Index i : batch) {
    const IdPair& pair = pairs[static_cast<std::size_t>(i)];
    const auto target = static_cast<Index>(pair.target.size()) + 1;
    load.source += static_cast<Index>(pair.source.size());
    load.target += target;
    load.longest_target = std::max(load.longest_target, target);
  }
  return load;
}

TEST(Batches, HoldEverySentenceOnceWithinTheBudget) {  // covers CO5, CO12
  law("an epoch is a partition within the budget", 200, [](Draw& draw) {
    const std::vector<IdPair> pairs = random_pairs(draw, draw.integer(0, 300), 40);
    const BatchSpec spec{.tokens = draw.integer(1, 200), .pool = draw.integer(1, 20)};
    const Batches batches = batches_of_epoch(pairs, spec, draw.rng("epoch"));
    std::vector<Index> seen;
    for (const std::vector<Index>& batch : batches) {
      ASSERT_FALSE(batch.empty());
      const Load load = load_of(batch, pairs);
      if (batch.size() > 1) {
        ASSERT_LE(load.source, spec.tokens);
        ASSERT_LE(load.target, spec.tokens);
      }
      seen.insert(seen.end(), batch.begin(), batch.end());
    }
    std::ranges::sort(seen);
    ASSERT_EQ(seen.size(), pairs.size());
    for (std::size_t i = 0; i < seen.size(); ++i) ASSERT_EQ(seen[i], static_cast<Index>(i));
  });
}

TEST(Batches, AreAPureFunctionOfTheSeed) {
  law("same seed, same batches; another epoch, others", 20, [](Draw& draw) {
    const std::vector<IdPair> pairs = random_pairs(draw, 200, 12);
    const BatchSpec spec{.tokens = 64, .pool = 4};
    const Rng rng = draw.rng("shuffle");
    const Batches first = batches_of_epoch(pairs, spec, rng.fork(1));
    ASSERT_EQ(batches_of_epoch(pairs, spec, rng.fork(1)), first);
    ASSERT_NE(batches_of_epoch(pairs, spec, rng.fork(2)), first);
  });
}

TEST(Batches, TakeOtherCompanyEachEpoch) {
  // All of one length, in one pool: only the order inside ties can change who meets whom.
  const std::vector<IdPair> pairs(64, IdPair{{1, 2, 3}, {1, 2, 3}});
  const BatchSpec spec{.tokens = 16, .pool = 1000};
  std::set<std::set<Index>> groups;
  for (std::uint64_t epoch = 0; epoch < 10; ++epoch)
    for (const std::vector<Index>& batch : batches_of_epoch(pairs, spec, Rng(7).fork(epoch))) {
      EXPECT_EQ(batch.size(), 4u);
      groups.insert({batch.begin(), batch.end()});
    }
  EXPECT_GT(groups.size(), 150u) << "of 160 batches nearly none should come twice";
}

TEST(Batches, AreFullAndOfLikeLengths) {
  law("little padding, few batches, shuffled order", 5, [](Draw& draw) {
    const std::vector<IdPair> pairs = random_pairs(draw, 20'000, 50);
    const BatchSpec spec{.tokens = 2000, .pool = 100};
    const Batches batches = batches_of_epoch(pairs, spec, draw.rng("epoch"));
    Index padded = 0, total = 0, larger_next = 0;
    for (std::size_t b = 0; b < batches.size(); ++b) {
      const Load load = load_of(batches[b], pairs);
      padded += load.longest_target * static_cast<Index>(batches[b].size());
      total += load.target;
      if (b > 0) larger_next += load.longest_target > load_of(batches[b - 1], pairs).longest_target;
    }
    ASSERT_LT(static_cast<double>(padded), 1.05 * static_cast<double>(total));
    // Source and target are unrelated here, so the fuller side alone bounds a batch.
    ASSERT_GT(static_cast<double>(total),
              0.6 * static_cast<double>(spec.tokens) * static_cast<double>(batches.size()));
    const double rises = static_cast<double>(larger_next) / static_cast<double>(batches.size());
    ASSERT_GT(rises, 0.35);
    ASSERT_LT(rises, 0.65);
  });
}

TEST(Batches, RefuseABudgetOfNothing) {
  const std::vector<IdPair> pairs(1);
  EXPECT_THROW(batches_of_epoch(pairs, {.tokens = 0}, Rng(1)), Error);
  EXPECT_THROW(batches_of_epoch(pairs, {.pool = -1}, Rng(1)), Error);
  EXPECT_EQ(batches_of_epoch(pairs, {}, Rng(1)), Batches{{0}});
}

}  // namespace
}  // namespace regard
