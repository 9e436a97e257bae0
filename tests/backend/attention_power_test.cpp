// e^x inside attention: the weight of a key whose score is x less than the largest.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "regard/backend/attention.h"
#include "tests/support/law.h"

namespace regard::testing {
namespace {

/// The weights of keys with these scores for one query, f32. The values do not matter.
std::vector<f32> weights(const std::vector<f32>& scores) {
  const auto S = static_cast<Index>(scores.size());
  const f32 query = 1;
  const Index query_offsets[] = {0, 1}, key_offsets[] = {0, S};
  const Heads<const f32> keys{scores.data(), S, 1, 1, 1, 1};
  const AttentionProblem<f32> problem{.q = {&query, 1, 1, 1, 1, 1},
                                      .k = keys,
                                      .v = keys,
                                      .queries = {query_offsets, 1},
                                      .keys = {key_offsets, 1},
                                      .mask = {},
                                      .scale = 1,
                                      .dropout = {}};
  f32 y = 0, norm[2];
  std::vector<f32> found(scores.size());
  kernel::attention(Cpu::get(), problem, {&y, 1, 1, 1, 1, 1}, {norm, 1, 2});
  kernel::attention_weights(Cpu::get(), problem, {.count = 1}, {norm, 1, 2}, {found.data(), 1, S});
  return found;
}

TEST(AttentionPower, IsWithinFourUnitsInTheLastPlace) {
  std::vector<f32> scores{0};
  // Below -80 a weight, divided by the sum, may have fewer bits than a power.
  for (int i = 1; i < 20000; ++i) scores.push_back(-80 * static_cast<f32>(i) / 20000);
  in_every_setting([&](const std::string& what) {
    const std::vector<f32> found = weights(scores);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double expected = std::exp(static_cast<double>(scores[i])) * found[0];
      // Two for the power, one for each of the two divisions by the sum.
      ASSERT_NEAR(found[i], expected, 4 * std::numeric_limits<f32>::epsilon() * expected)
          << scores[i] << ", " << what;
    }
  });
}

TEST(AttentionPower, EndsInZero) {
  const std::vector<f32> found = weights({0, -87.4f, -1e30f, std::numeric_limits<f32>::lowest()});
  EXPECT_EQ(found, (std::vector<f32>{1, 0, 0, 0}));
}

}  // namespace
}  // namespace regard::testing
