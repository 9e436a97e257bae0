#include "regard/tensor/shape.h"

#include <gtest/gtest.h>

#include <sstream>

#include "regard/base/check.h"
#include "tests/support/law.h"

namespace regard {
namespace {

TEST(Shape, CountsItsElements) {
  EXPECT_EQ(Shape{}.count(), 1);
  EXPECT_EQ((Shape{2, 3, 4}.count()), 24);
  EXPECT_EQ((Shape{2, 0, 4}.count()), 0);
}

TEST(Shape, CountsAxesFromBothEnds) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape[0], 2);
  EXPECT_EQ(shape[-1], 4);
  EXPECT_EQ(shape.axis(-3), 0);
  EXPECT_THROW(shape[3], Error);
  EXPECT_THROW(shape[-4], Error);
}

TEST(Shape, IsCutAndJoined) {
  const Shape shape{2, 3, 4};
  EXPECT_EQ(shape.with(-1, 9), (Shape{2, 3, 9}));
  EXPECT_EQ(shape.without(1), (Shape{2, 4}));
  EXPECT_EQ(shape.front(2), (Shape{2, 3}));
  EXPECT_EQ(shape.back(2), (Shape{3, 4}));
  EXPECT_EQ(shape.front(2).joined({5, 6}), (Shape{2, 3, 5, 6}));
  EXPECT_THROW(shape.front(4), Error);
}

TEST(Shape, RefusesSizesThatCannotBe) {
  EXPECT_THROW((Shape{2, -1}), Error);
  EXPECT_THROW((Shape{Index{1} << 40, Index{1} << 40}), Error);
  EXPECT_THROW((Shape{0, Index{1} << 40, Index{1} << 40}), Error);
  EXPECT_THROW((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), Error);
}

TEST(Shape, IsWrittenAsAList) {
  std::ostringstream text;
  text << Shape{2, 3} << Shape{};
  EXPECT_EQ(text.str(), "[2, 3][]");
}

TEST(Broadcast, IsCommutativeAndStretchesOnes) {
  EXPECT_EQ(broadcast({2, 1, 4}, {3, 1}), (Shape{2, 3, 4}));
  EXPECT_EQ(broadcast({}, {3}), Shape{3});
  EXPECT_EQ(broadcast({1}, {0}), Shape{0});
  EXPECT_THROW(broadcast({2}, {3}), Error);
  testing::law("a with b = b with a", 100, [](testing::Draw& draw) {
    std::vector<Index> a, b;
    for (Index i = draw.integer(0, 4); i > 0; --i) {
      const Index size = draw.integer(1, 3);
      a.push_back(draw.coin() ? 1 : size);
      b.push_back(draw.coin() ? 1 : size);
    }
    EXPECT_EQ(broadcast(Shape(a), Shape(b)), broadcast(Shape(b), Shape(a)));
    EXPECT_EQ(broadcast(Shape(a), Shape(a)), Shape(a));
  });
}

TEST(Shape, RefusesWhatCannotBeCountedInBytes) {
  EXPECT_THROW(Shape({Index{1} << 61}), Error);
  EXPECT_THROW(Shape({(Index{1} << 60) + 1}), Error);
  EXPECT_THROW(Shape({Index{1} << 31, Index{1} << 31}), Error);
}

}  // namespace
}  // namespace regard
