#include "regard/tensor/memory.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/log.h"

namespace regard {
namespace {

constexpr std::size_t kAlignment = 64;
// Small blocks come in sizes of 64, large ones in steps of a 16th, so that lengths that vary a
// little from batch to batch still find a block of the same size.
std::size_t block_size(std::size_t bytes) {
  std::size_t unit = kAlignment;
  while (unit * 32 < bytes) unit *= 2;
  return std::max(bytes + unit - 1, unit) / unit * unit;
}

thread_local Memory* scoped = nullptr;

}  // namespace

CachingMemory::~CachingMemory() {
  drop_cache();
}

void* CachingMemory::from_system(std::size_t bytes) {
  if (void* block = std::aligned_alloc(kAlignment, bytes)) return block;
  drop_cache();
  if (void* block = std::aligned_alloc(kAlignment, bytes)) return block;
  fail(Fault::device, "out of memory: a tensor of ", bytes, " bytes beside the ", live(),
       " in use");
}

void* CachingMemory::allocate(std::size_t bytes) {
  const std::size_t size = block_size(bytes);
  std::unique_lock lock(mutex_);
  void* block = nullptr;
  if (const auto found = free_.find(size); found != free_.end()) {
    block = found->second;
    free_.erase(found);
    cached_ -= size;
  } else {
    lock.unlock();
    block = from_system(size);
    lock.lock();
  }
  live_ += size;  // only now: a block the system refused is not in use
  peak_ = std::max(peak_, live_);
  most_ = std::max(most_, live_);
  return block;
}

void CachingMemory::release(void* block, std::size_t bytes) noexcept {
  const std::size_t size = block_size(bytes);
  const std::lock_guard lock(mutex_);
  live_ -= size;
  try {
    free_.emplace(size, block);
    cached_ += size;
    // Sizes that never come again must not pile up: the largest go first.
    while (live_ + cached_ > 2 * most_) {
      const auto largest = std::prev(free_.end());
      cached_ -= largest->first;
      std::free(largest->second);
      free_.erase(largest);
    }
  } catch (const std::bad_alloc&) {
    std::free(block);
  }
}

std::size_t CachingMemory::live() const {
  const std::lock_guard lock(mutex_);
  return live_;
}

std::size_t CachingMemory::peak() const {
  const std::lock_guard lock(mutex_);
  return peak_;
}

std::size_t CachingMemory::cached() const {
  const std::lock_guard lock(mutex_);
  return cached_;
}

void CachingMemory::forget_peak() {
  const std::lock_guard lock(mutex_);
  peak_ = live_;
}

void CachingMemory::drop_cache() noexcept {
  const std::lock_guard lock(mutex_);
  for (const auto& [size, block] : free_) std::free(block);
  free_.clear();
  cached_ = 0;
}

CachingMemory& heap() {
  static CachingMemory& memory = *new CachingMemory;  // outlives every static tensor
  return memory;
}

/// Counts what it gave out, so that pages still in use are never given out twice.
class StepScope::ArenaMemory final : public Memory {
 public:
  explicit ArenaMemory(Arena& arena) : arena(arena), start(arena.mark()) {}

  void* allocate(std::size_t bytes) override {
    void* block = arena.allocate(bytes);
    ++live;
    return block;
  }
  void release(void*, std::size_t) noexcept override {
    if (--live == 0 && closed) delete this;
  }

  Arena& arena;
  Arena::Mark start;
  std::atomic<std::int64_t> live{0};
  bool closed = false;
};

StepScope::StepScope(Arena& arena)
    : memory_(new ArenaMemory(arena)), outer_(std::exchange(scoped, memory_)) {}

StepScope::~StepScope() {
  scoped = outer_;
  if (memory_->live == 0) {
    memory_->arena.rewind(memory_->start);
    delete memory_;
    return;
  }
  warn(memory_->live, " tensors of a step are still in use after it; their pages are kept");
  memory_->arena.keep();
  memory_->closed = true;
}

Memory& current_memory() {
  return scoped ? *scoped : heap();
}

}  // namespace regard
