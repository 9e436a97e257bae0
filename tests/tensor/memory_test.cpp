#include "regard/tensor/memory.h"

#include <gtest/gtest.h>

#include <fstream>

#include "regard/base/check.h"
#include "regard/base/log.h"
#include "regard/tensor/tensor.h"

namespace regard {
namespace {

TEST(CachingMemory, CountsAndReusesBlocks) {
  CachingMemory memory;
  void* a = memory.allocate(1000);
  const std::size_t live = memory.live();
  EXPECT_GE(live, 1000u);
  void* b = memory.allocate(5000);
  EXPECT_EQ(memory.peak(), memory.live());
  memory.release(b, 5000);
  memory.release(a, 1000);
  EXPECT_EQ(memory.live(), 0u);
  EXPECT_GE(memory.cached(), 6000u);
  EXPECT_GE(memory.peak(), 6000u);
  EXPECT_EQ(memory.allocate(1000), a);
  memory.release(a, 1000);
  memory.drop_cache();
  EXPECT_EQ(memory.cached(), 0u);
  memory.forget_peak();
  EXPECT_EQ(memory.peak(), 0u);
}

TEST(CachingMemory, GivesLargeBlocksBackToTheSystem) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "skipped: under the address sanitizer all blocks are malloc's, which keeps them";
#endif
  const auto pages = [] {
    std::size_t count = 0;
    std::ifstream("/proc/self/statm") >> count;
    return count;
  };
  constexpr std::size_t kBytes = std::size_t{256} << 20;
  CachingMemory memory;
  const std::size_t before = pages();
  memory.release(memory.allocate(kBytes), kBytes);
  EXPECT_GE(pages(), before + kBytes / 4096);
  memory.drop_cache();
  EXPECT_LT(pages(), before + kBytes / 4096 / 2);
}

TEST(CachingMemory, SaysSoWhenThereIsNoMore) {
  CachingMemory memory;
  try {
    memory.allocate(std::size_t{1} << 60);
    FAIL() << "expected an error";
  } catch (const Error& e) {
    EXPECT_EQ(e.fault, Fault::device);
  }
  EXPECT_EQ(memory.live(), 0u);  // what was not given out is not counted
}

TEST(StepScope, TakesTensorsFromItsArenaAndReusesIt) {
  Arena arena;
  std::size_t reserved = 0;
  for (int step = 0; step < 4; ++step) {
    const std::size_t heap_before = heap().live();
    {
      const StepScope scope(arena);
      for (int i = 0; i < 50; ++i) Tensor({300'000});
      EXPECT_EQ(heap().live(), heap_before);
    }
    if (step == 0) reserved = arena.reserved();
    EXPECT_GT(reserved, 0u);
    EXPECT_EQ(arena.reserved(), reserved);
    EXPECT_EQ(arena.used(), 0u);
  }
  Tensor outside({10});
  EXPECT_EQ(&current_memory(), &heap());
}

TEST(StepScope, SettlesWhenStepsVary) {
  Arena arena(std::size_t{4} << 20);
  std::size_t settled = 0;
  for (std::uint64_t step = 0; step < 200; ++step) {
    {
      const StepScope scope(arena);
      for (std::uint64_t i = 0; i < 20; ++i)
        Tensor::empty({static_cast<Index>(1 + Rng(1).fork(step).below(i, 300'000))});
    }
    if (step == 100) settled = arena.reserved();
  }
  EXPECT_EQ(arena.reserved(), settled);
  EXPECT_LT(settled, std::size_t{64} << 20);
}

TEST(CachingMemory, HoldsAtMostTwiceWhatWasInUse) {
  CachingMemory memory;
  for (std::size_t size = 1000; size < 2'000'000; size += 10'000)
    memory.release(memory.allocate(size), size);
  EXPECT_LE(memory.live() + memory.cached(), 2 * memory.peak());
}

TEST(StepScope, KeepsWhatOutlivesItAndWarns) {
  Arena arena;
  std::string warning;
  set_warning_sink([&](std::string_view line) { warning = line; });
  {
    Tensor kept;
    {
      const StepScope scope(arena);
      kept = Tensor::full({1000}, 5);
    }
    EXPECT_FALSE(warning.empty());
    {
      const StepScope next(arena);
      Tensor::full({1000}, 6);
    }
    EXPECT_EQ(kept.at({999}), 5);
  }
  set_warning_sink([](std::string_view) {});
}

}  // namespace
}  // namespace regard
