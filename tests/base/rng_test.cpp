#include "regard/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace regard {
namespace {

using Block = std::array<std::uint32_t, 4>;

TEST(Philox, GivesThePublishedAnswers) {
  // The known-answer vectors of Salmon et al.'s Random123 for philox4x32-10.
  EXPECT_EQ(philox(0, {0, 0, 0, 0}), (Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox(~std::uint64_t{0}, {ones, ones, ones, ones}),
            (Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox(0x299f31d0a4093822, {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}),
            (Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, ForksAreApartByNameNumberAndKey) {
  std::set<std::uint64_t> keys{Rng(1).key(), Rng(2).key()};
  const Rng root(1);
  for (const char* name : {"", "a", "b", "ab", "dropout"}) keys.insert(root.fork(name).key());
  for (std::uint64_t i = 0; i < 1000; ++i) keys.insert(root.fork(i).key());
  keys.insert(Rng(2).fork("a").key());
  keys.insert(root.fork("a").fork("b").key());
  EXPECT_EQ(keys.size(), 2u + 5 + 1000 + 2);
  EXPECT_EQ(root.fork("a").key(), Rng(1).fork("a").key());
}

TEST(Rng, DrawsAreAPureFunctionOfTheirNumber) {
  const Rng rng(9);
  const double later = rng.uniform(1000);
  for (std::uint64_t i = 0; i < 1000; ++i) rng.uniform(i);
  EXPECT_EQ(rng.uniform(1000), later);
}

TEST(Rng, DrawsHaveTheirDistribution) {
  const Rng rng(3);
  const int n = 200'000;
  double mean = 0, normal_mean = 0, normal_square = 0;
  int counts[7] = {};
  for (std::uint64_t i = 0; i < n; ++i) {
    const double u = rng.uniform(i), z = rng.normal(i);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    ASSERT_TRUE(std::isfinite(z));
    mean += u / n;
    normal_mean += z / n;
    normal_square += z * z / n;
    ++counts[rng.below(i, 7)];
  }
  EXPECT_NEAR(mean, 0.5, 0.003);
  EXPECT_NEAR(normal_mean, 0, 0.01);
  EXPECT_NEAR(normal_square, 1, 0.015);
  for (const int count : counts) EXPECT_NEAR(count, n / 7.0, 700);  // four deviations
}

}  // namespace
}  // namespace regard
