#include "regard/base/arena.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

namespace regard {
namespace {

TEST(Arena, GivesAlignedBlocksThatDoNotOverlap) {
  Arena arena(1);
  std::vector<std::pair<unsigned char*, std::size_t>> blocks;
  for (std::size_t bytes = 1; bytes < 3'000'000; bytes = bytes * 3 + 1) {
    auto* block = static_cast<unsigned char*>(arena.allocate(bytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % Arena::kAlignment, 0u);
    std::memset(block, static_cast<int>(blocks.size() + 1), bytes);
    blocks.emplace_back(block, bytes);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (const std::size_t at : {std::size_t{0}, blocks[i].second - 1})
      EXPECT_EQ(blocks[i].first[at], i + 1);
}

TEST(Arena, AsksTheSystemOnlyTheFirstTimeAndWhenItBecomesOneChunk) {
  Arena arena;
  std::size_t settled = 0;
  for (int step = 0; step < 5; ++step) {
    arena.reset();
    EXPECT_EQ(arena.used(), 0u);
    for (int i = 0; i < 40; ++i) arena.allocate(3 << 20);
    if (step < 2) settled = arena.reserved();
    EXPECT_EQ(arena.reserved(), settled);
    EXPECT_GE(arena.used(), std::size_t{120} << 20);
  }
}

TEST(Arena, RewindsToAMark) {
  Arena arena;
  arena.allocate(100);
  const Arena::Mark mark = arena.mark();
  void* first = arena.allocate(1000);
  arena.rewind(mark);
  EXPECT_EQ(arena.allocate(1000), first);
}

TEST(Arena, TakesABlockLargerThanItsChunks) {
  Arena arena(std::size_t{2} << 20);
  auto* block = static_cast<char*>(arena.allocate(std::size_t{10} << 20));
  block[(std::size_t{10} << 20) - 1] = 1;
  EXPECT_GE(arena.reserved(), std::size_t{10} << 20);
}

}  // namespace
}  // namespace regard
