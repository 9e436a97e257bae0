#pragma once

#include <cstddef>
#include <map>
#include <mutex>

#include "regard/base/arena.h"

namespace regard {

/// Gives out and takes back the blocks that tensors live in; blocks are aligned to 64 bytes.
class Memory {
 public:
  virtual ~Memory() = default;
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* block, std::size_t bytes) noexcept = 0;
};

/// The heap, with a cache of released blocks in a ladder of sizes, 16 to an octave. In all it holds
/// at most a quarter more than was ever in use at once. When the system has no more, the cache is
/// dropped and the call tried once again before Error(device). Safe from several threads.
class CachingMemory final : public Memory {
 public:
  ~CachingMemory() override;
  void* allocate(std::size_t bytes) override;
  void release(void* block, std::size_t bytes) noexcept override;

  std::size_t live() const;    ///< bytes in use now
  std::size_t peak() const;    ///< the most bytes ever in use at once
  std::size_t cached() const;  ///< bytes held for reuse
  void drop_cache() noexcept;
  void forget_peak();  ///< peak() starts anew from live()

 private:
  void* fresh(std::size_t bytes);

  mutable std::mutex mutex_;
  std::multimap<std::size_t, void*> free_;  // size -> block
  std::size_t live_ = 0, peak_ = 0, most_ = 0, cached_ = 0;
};

/// The memory that tensors come from by default.
CachingMemory& heap();

/// While one lives, tensors made on this thread come from its arena: a training step makes all its
/// intermediate tensors there and the next step reuses the same pages.
/// REQUIRES that no such tensor outlives the scope; the destructor warns and keeps the pages if one
/// does.
class StepScope {
 public:
  explicit StepScope(Arena& arena);
  ~StepScope();
  StepScope(const StepScope&) = delete;
  StepScope& operator=(const StepScope&) = delete;

 private:
  class ArenaMemory;
  ArenaMemory* memory_;
  Memory* outer_;
};

/// While one lives, tensors made on this thread come from the heap, whatever step is under way.
class LastingScope {
 public:
  LastingScope();
  ~LastingScope();
  LastingScope(const LastingScope&) = delete;
  LastingScope& operator=(const LastingScope&) = delete;

 private:
  Memory* outer_;
};

/// Where a tensor made now on this thread would come from.
Memory& current_memory();

}  // namespace regard
