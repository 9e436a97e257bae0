#include "regard/trace/head_tag.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "regard/ops/mask.h"

namespace regard {
namespace {

/// Weights by a rule, rows brought to 1.
struct Drawn {
  AttentionKind kind;
  Index rows, cols;
  std::vector<float> weights{};

  Drawn(AttentionKind kind, Index rows, Index cols, const std::function<double(Index, Index)>& rule)
      : kind(kind), rows(rows), cols(cols) {
    for (Index t = 0; t < rows; ++t) {
      double sum = 0;
      std::vector<double> row;
      for (Index s = 0; s < cols; ++s) {
        const bool hidden = kind == AttentionKind::decoder && s > t;
        row.push_back(hidden ? 0 : rule(t, s) + 1e-9);
        sum += row.back();
      }
      for (const double x : row) weights.push_back(static_cast<float>(x / sum));
    }
  }
  HeadWeights head() const { return {kind, rows, cols, weights}; }
  HeadTag tag() const { return tag_of(head()); }
};

TEST(HeadTag, NamesWhatIsPlainToSee) {
  using enum AttentionKind;
  const auto own = [](Index t, Index s) { return t == s ? 1.0 : 0.05; };
  const auto before = [](Index t, Index s) { return s == std::max<Index>(t - 1, 0) ? 1.0 : 0.05; };
  const auto after = [](Index t, Index s) { return s == t + 1 ? 1.0 : 0.05; };
  const auto first = [](Index, Index s) { return s == 0 ? 1.0 : 0.05; };
  const auto all = [](Index, Index) { return 1.0; };
  for (const AttentionKind kind : {encoder, decoder}) {
    EXPECT_EQ(Drawn(kind, 8, 8, own).tag(), HeadTag::diagonal);
    EXPECT_EQ(Drawn(kind, 8, 8, before).tag(), HeadTag::previous);
    EXPECT_EQ(Drawn(kind, 8, 8, first).tag(), HeadTag::sink);
    EXPECT_EQ(Drawn(kind, 8, 8, all).tag(), HeadTag::broad);
  }
  EXPECT_EQ(Drawn(encoder, 8, 8, after).tag(), HeadTag::next);
  EXPECT_EQ(Drawn(cross, 5, 9, [](Index t, Index s) { return s == 2 * t ? 1.0 : 0.02; }).tag(),
            HeadTag::diagonal);
  EXPECT_EQ(Drawn(cross, 9, 5, [](Index t, Index s) { return s == t / 2 ? 1.0 : 0.02; }).tag(),
            HeadTag::diagonal);
  EXPECT_EQ(Drawn(cross, 6, 7, [](Index, Index s) { return s == 6 ? 1.0 : 0.02; }).tag(),
            HeadTag::sink);
  EXPECT_EQ(Drawn(cross, 6, 6, [](Index t, Index s) { return s == 5 - t ? 1.0 : 0.02; }).tag(),
            HeadTag::other);
}

TEST(HeadWeights, SeesNothingBehindItsWindow) {
  for (const AttentionKind kind : {AttentionKind::encoder, AttentionKind::decoder})
    for (const Index window : {0, 1, 3, 9}) {
      const HeadWeights head{kind, 5, 5, {}, window};
      const Mask mask = kind == AttentionKind::decoder
                            ? Mask::window(window > 0 ? window : Mask::kUnbounded, 0)
                        : window > 0 ? Mask::window(window, window)
                                     : Mask::full();
      for (Index t = 0; t < 5; ++t)
        for (Index s = 0; s < 5; ++s)
          EXPECT_EQ(s >= head.first(t) && s < head.end(t),
                    mask.visible({.rows = 1, .heads = 1, .queries = 5, .keys = 5}, 0, 0, t, s))
              << name(kind) << ", window " << window << ", " << t << " sees " << s;
    }
}

TEST(HeadTag, IsBroadOverWhatItsWindowShows) {
  const auto near = [](Index t, Index s) { return std::abs(t - s) <= 1 ? 1.0 : 0; };
  const Drawn drawn(AttentionKind::encoder, 12, 12, near);
  HeadWeights head = drawn.head();
  EXPECT_NE(tag_of(head), HeadTag::broad);
  head.window = 1;
  EXPECT_EQ(tag_of(head), HeadTag::broad);
}

TEST(HeadTag, CallsNothingByAChoiceThatWasNone) {
  using enum AttentionKind;
  const auto all = [](Index, Index) { return 1.0; };
  EXPECT_EQ(Drawn(encoder, 1, 1, all).tag(), HeadTag::other);
  EXPECT_EQ(Drawn(decoder, 1, 1, all).tag(), HeadTag::other);
  EXPECT_EQ(Drawn(cross, 3, 1, all).tag(), HeadTag::other);
  EXPECT_EQ(Drawn(cross, 1, 4, [](Index, Index s) { return s == 0 ? 1.0 : 0.0; }).tag(),
            HeadTag::diagonal);
  EXPECT_EQ(tag_of({}), HeadTag::other);
}

TEST(HeadTag, EntropyIsInBits) {
  const auto all = [](Index, Index) { return 1.0; };
  EXPECT_NEAR(entropy_bits(Drawn(AttentionKind::encoder, 8, 8, all).head()), 3, 1e-6);
  EXPECT_NEAR(entropy_bits(Drawn(AttentionKind::decoder, 2, 2, all).head()), 0.5, 1e-6);
  const auto own = [](Index t, Index s) { return t == s ? 1.0 : 0.0; };
  EXPECT_NEAR(entropy_bits(Drawn(AttentionKind::encoder, 8, 8, own).head()), 0, 1e-6);
  EXPECT_EQ(entropy_bits({}), 0);
}

}  // namespace
}  // namespace regard
