#include "regard/measure/confusion.h"

#include <gtest/gtest.h>

#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

TEST(Confusion, CountsWhatATextbookCounts) {
  Confusion found(3);
  const auto add = [&](Index truth, Index said, int times) {
    for (int i = 0; i < times; ++i) found.add(truth, said);
  };
  add(0, 0, 5), add(0, 1, 1), add(1, 1, 2), add(1, 0, 3), add(2, 1, 1);
  EXPECT_EQ(found.total(), 12);
  EXPECT_EQ(found.right(), 7);
  EXPECT_EQ(found.commonest(), 6);
  EXPECT_DOUBLE_EQ(found.accuracy(), 7.0 / 12);
  const LabelQuality first = found.of(0), last = found.of(2);
  EXPECT_EQ(first.texts, 6);
  EXPECT_EQ(first.said, 8);
  EXPECT_DOUBLE_EQ(first.precision, 5.0 / 8);
  EXPECT_DOUBLE_EQ(first.recall, 5.0 / 6);
  EXPECT_DOUBLE_EQ(first.f1, 2 * (5.0 / 8) * (5.0 / 6) / (5.0 / 8 + 5.0 / 6));
  EXPECT_EQ(last.precision, 0);  // never said
  EXPECT_EQ(last.f1, 0);
}

TEST(Confusion, AddsUp) {
  testing::law("sums", 60, [](Draw& draw) {
    const Index labels = draw.integer(1, 5), texts = draw.integer(0, 30);
    Confusion found(labels);
    for (Index i = 0; i < texts; ++i)
      found.add(draw.integer(0, labels - 1), draw.integer(0, labels - 1));
    Index have = 0, said = 0, right = 0;
    for (Index i = 0; i < labels; ++i) {
      const LabelQuality quality = found.of(i);
      have += quality.texts, said += quality.said, right += quality.right;
      EXPECT_GE(quality.f1, std::min(quality.precision, quality.recall) - 1e-12);
      EXPECT_LE(quality.f1, std::max(quality.precision, quality.recall) + 1e-12);
    }
    EXPECT_EQ(have, texts);
    EXPECT_EQ(said, texts);
    EXPECT_EQ(right, found.right());
    EXPECT_LE(found.accuracy(), 1);
  });
}

}  // namespace
}  // namespace regard
