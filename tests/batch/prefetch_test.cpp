#include "regard/batch/prefetch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>

#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::law;

/// 0, 1, ..., count - 1 and then nothing.
auto counting(Index count) {
  return [count, i = Index{0}]() mutable -> std::optional<Index> {
    return i < count ? std::optional(i++) : std::nullopt;
  };
}

TEST(Prefetch, GivesEveryItemOnceInOrder) {  // covers CC7
  law("what goes in comes out", 100, [](Draw& draw) {
    const Index count = draw.integer(0, 200);
    Prefetch<Index> items(counting(count), draw.integer(1, 8));
    for (Index i = 0; i < count; ++i) ASSERT_EQ(items.next(), i);
    ASSERT_EQ(items.next(), std::nullopt);
    ASSERT_EQ(items.next(), std::nullopt);
  });
}

TEST(Prefetch, StopsAnywhereWithoutWaitingForItsEnd) {  // covers CC7
  law("destroyed at any moment", 200, [](Draw& draw) {
    Prefetch<Index> items([i = Index{0}]() mutable -> std::optional<Index> { return i++; },
                          draw.integer(1, 4));
    for (Index i = 0, taken = draw.integer(0, 20); i < taken; ++i) ASSERT_EQ(items.next(), i);
  });
}

TEST(Prefetch, RunsAheadOnlyAsFarAsItsDepth) {  // covers CC7
  std::atomic<Index> made = 0;
  Prefetch<Index> items([&]() -> std::optional<Index> { return made++; }, 3);
  for (Index i = 0; i < 50; ++i) {
    ASSERT_EQ(items.next(), i);
    // 3 wait, and one more may be in the hand of the thread.
    ASSERT_LE(made.load(), i + 1 + 3 + 1);
  }
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (made.load() < 54 && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_EQ(made.load(), 54) << "it did not run ahead";
}

TEST(Prefetch, PassesOnWhatTheProducerThrows) {
  Prefetch<Index> items(
      [produce = counting(3)]() mutable -> std::optional<Index> {
        std::optional<Index> item = produce();
        if (!item) fail(Fault::io, "the disk is gone");
        return item;
      },
      2);
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(items.next(), i);
  for (int i = 0; i < 2; ++i) EXPECT_THROW(items.next(), Error);
}

TEST(Prefetch, TakesItemsThatCanOnlyBeMoved) {
  Prefetch<std::unique_ptr<int>> items(
      []() -> std::optional<std::unique_ptr<int>> { return std::make_unique<int>(7); }, 1);
  EXPECT_EQ(**items.next(), 7);
  EXPECT_THROW(Prefetch<Index>(counting(1), 0), Error);
}

}  // namespace
}  // namespace regard
