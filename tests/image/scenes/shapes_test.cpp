#include "regard/image/scenes/shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "regard/image/scenes/caption.h"
#include "regard/image/scenes/paint.h"
#include "regard/image/scenes/split.h"

namespace regard::scenes {
namespace {

/// The label is the shape of what covers most of the picture, by far.
TEST(ShapeScenes, AreLabelledByTheObjectThatIsLargest) {
  std::map<std::string_view, int> labels;
  std::set<std::size_t> sizes;
  for (Index i = 0; i < 800; ++i) {
    const Scene drawn = shape_scene({}, i);
    const std::size_t object = largest(drawn.content).value();
    const auto side = [&](std::size_t each) {
      const PixelBox box = box_of(drawn, each);
      return std::max(box.width, box.height);
    };
    for (std::size_t other = 0; other < drawn.content.objects.size(); ++other)
      if (other != object) {
        EXPECT_LT(side(other) + 4, side(object));
      }
    EXPECT_EQ(largest_shape(drawn.content), shapes()[drawn.content.objects[object].shape].english);
    ++labels[largest_shape(drawn.content)];
    sizes.insert(drawn.content.objects.size());
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{1, 2, 3}));
  ASSERT_EQ(labels.size(), shapes().size());
  for (const auto& [label, count] : labels) EXPECT_EQ(count, 100) << label;
}

TEST(ShapeScenes, OfTheTestAreUnseenPairsByTurns) {
  std::set<std::pair<std::size_t, std::size_t>> unseen;
  for (Index i = 0; i < 400; ++i) {
    const Scene drawn = shape_scene({.split = Split::test}, i);
    const Content::Object object = drawn.content.objects[largest(drawn.content).value()];
    EXPECT_EQ(is_held_out(object), i % 2 == 1);
    EXPECT_EQ(holds_unseen_pair(drawn.content), i % 2 == 1);
    if (i % 2 == 1) unseen.emplace(object.shape, object.colour);
  }
  EXPECT_EQ(unseen.size(), shapes().size());
}

TEST(ShapeScenes, OfAnySeedsShareNoContentAcrossSplits) {
  std::map<std::string, Split> split_of_caption;
  for (const std::uint64_t seed : {1, 2})
    for (const Split split : {Split::train, Split::valid, Split::test})
      for (Index i = 0; i < 1000; ++i) {
        const Content content = shape_scene({.split = split, .seed = seed}, i).content;
        EXPECT_EQ(split_of(content), split);
        EXPECT_EQ(split_of_caption.emplace(caption(content, "en").text, split).first->second,
                  split);
      }
}

TEST(ShapeScenes, HaveNoLargestOfSeveralThatAreAsLarge) {
  const Content::Object large{.shape = 0, .colour = 1, .size = Size::large},
      small{.shape = 2, .colour = 1, .size = Size::small};
  EXPECT_EQ(largest({.objects = {small}}), 0u);
  EXPECT_EQ(largest({.objects = {small, large}}), 1u);
  EXPECT_EQ(largest({.objects = {small, small}}), std::nullopt);
  EXPECT_EQ(largest({.objects = {large, small, large}}), std::nullopt);
}

}  // namespace
}  // namespace regard::scenes
