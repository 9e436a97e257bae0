#include "regard/image/scenes/split.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "regard/image/scenes/caption.h"
#include "regard/image/scenes/corpus.h"
#include "said.h"

namespace regard::scenes {
namespace {

using testing::said;

using Pairs = std::set<std::pair<std::string, std::string>>;

/// Colours and shapes of a scene that stand together, read from its caption.
Pairs pairs_of(const Scene& drawn) {
  Pairs pairs;
  for (const auto& object : said(caption(drawn.content, "en").text).objects)
    pairs.emplace(object.colour, object.shape);
  return pairs;
}

TEST(SceneSplits, SomePairsAreInTheTestAlone) {
  Pairs known;
  for (const std::uint64_t seed : {1, 2})
    for (const Split split : {Split::train, Split::valid})
      for (Index i = 0; i < 4000; ++i) {
        const Scene drawn = scene({.split = split, .seed = seed}, i);
        EXPECT_FALSE(holds_unseen_pair(drawn.content));
        known.merge(pairs_of(drawn));
      }
  EXPECT_EQ(known.size(), 64u - 8);
  std::set<std::string> words;
  for (const auto& [colour, shape] : known) words.insert({colour, shape});
  EXPECT_EQ(words.size(), 16u) << "each colour and each shape is seen with others";
  Pairs unseen;
  Index marked = 0;
  for (Index i = 0; i < 4000; ++i) {
    const Scene drawn = scene({.split = Split::test, .seed = 1}, i);
    bool fresh = false;
    for (const auto& pair : pairs_of(drawn)) {
      if (known.contains(pair)) continue;
      fresh = true;
      unseen.insert(pair);
    }
    ASSERT_EQ(fresh, holds_unseen_pair(drawn.content));
    ASSERT_EQ(fresh, i % 2 == 1);
    marked += fresh;
  }
  EXPECT_EQ(marked, 2000);
  EXPECT_EQ(unseen.size(), 8u);
}

TEST(SceneSplits, OfAnySeedsShareNoCaption) {
  std::map<std::string, Split> split_of_caption;
  for (const std::uint64_t seed : {1, 2, 3})
    for (const Split split : {Split::train, Split::valid, Split::test})
      for (Index i = 0; i < (split == Split::train ? 10000 : 1500); ++i) {
        const Scene drawn = scene({.split = split, .seed = seed}, i);
        const auto [entry, added] =
            split_of_caption.emplace(caption(drawn.content, "en").text, split);
        ASSERT_EQ(entry->second, split) << entry->first;
        ASSERT_EQ(split_of(drawn.content), split);
      }
}

TEST(SceneSplits, HoldEveryWordAndArrangement) {
  for (const Split split : {Split::train, Split::valid, Split::test}) {
    std::map<Arrangement, int> arrangements;
    std::map<std::string, int> words;
    for (Index i = 0; i < 1000; ++i) {
      const Scene drawn = scene({.split = split, .seed = 1}, i);
      ++arrangements[drawn.content.arrangement];
      for (const auto& [colour, shape] : pairs_of(drawn)) ++words[colour], ++words[shape];
    }
    EXPECT_EQ(arrangements.size(), 5u);
    for (const auto& [arrangement, count] : arrangements) EXPECT_GT(count, 50);
    EXPECT_EQ(words.size(), 16u);
    for (const auto& [word, count] : words) EXPECT_GT(count, 100) << word;
  }
}

}  // namespace
}  // namespace regard::scenes
