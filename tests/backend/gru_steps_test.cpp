#include "regard/backend/cpu/gru_steps.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

/// Row numbers of the steps of sequences, the longest first.
std::vector<Index> starts_of(const std::vector<Index>& lengths) {
  std::vector<Index> starts{0};
  for (Index t = 0; !lengths.empty() && t < lengths.front(); ++t)
    starts.push_back(starts.back() +
                     std::ranges::count_if(lengths, [&](Index length) { return length > t; }));
  return starts;
}

std::vector<Index> bounds_of(const std::vector<Index>& lengths, Index threads) {
  const std::vector<Index> starts = starts_of(lengths);
  return kernel::group_bounds(
      {starts.data(), static_cast<Index>(starts.size()) - 1, static_cast<Index>(lengths.size())},
      threads);
}

TEST(GroupBounds, TakeEverySequenceOnceAndNoneAlone) {
  law("bounds", 400, [](Draw& draw) {
    std::vector<Index> lengths(static_cast<std::size_t>(draw.integer(1, 400)));
    for (Index& length : lengths) length = draw.integer(0, draw.coin() ? 3 : 60);
    std::ranges::sort(lengths, std::greater<>());
    const auto B = static_cast<Index>(lengths.size());
    const std::vector<Index> bounds = bounds_of(lengths, draw.integer(1, 64));
    ASSERT_EQ(bounds.front(), 0);
    ASSERT_EQ(bounds.back(), B);
    for (std::size_t i = 1; i < bounds.size(); ++i)
      EXPECT_GE(bounds[i] - bounds[i - 1], std::min<Index>(B, 4));
  });
}

TEST(GroupBounds, ShareOutRowsEvenly) {
  EXPECT_EQ(bounds_of(std::vector<Index>(160, 7), 2), (std::vector<Index>{0, 80, 160}));
  EXPECT_EQ(bounds_of(std::vector<Index>(160, 7), 1), (std::vector<Index>{0, 80, 160}));
  EXPECT_EQ(bounds_of(std::vector<Index>(6, 7), 64), (std::vector<Index>{0, 6}));
  // One sequence outweighs the others, which are then shared out among the other threads.
  std::vector<Index> lengths(101, 10);
  lengths[0] = 1000;
  EXPECT_EQ(bounds_of(lengths, 4), (std::vector<Index>{0, 4, 37, 69, 101}));
}

TEST(GroupBounds, OfSequencesWithoutRows) {
  EXPECT_EQ(bounds_of({}, 2), (std::vector<Index>{0, 0}));
  EXPECT_EQ(bounds_of({0, 0, 0}, 2), (std::vector<Index>{0, 3}));
}

}  // namespace
}  // namespace regard
