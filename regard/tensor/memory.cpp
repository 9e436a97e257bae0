#include "regard/tensor/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

// From this size on a block has pages of its own, which go back to the system when it does. Through
// malloc, blocks of many sizes that come and go leave holes, and a server's memory creeps up.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t kOwnPages =
    std::size_t(-1);  // only malloc's blocks are watched at their ends
#else
constexpr std::size_t kOwnPages = std::size_t{64} << 10;
#endif

// Blocks this large are weights and what an optimiser remembers of them: read from end to end.
constexpr std::size_t kHugePages = std::size_t{4} << 20;

void* from_system(std::size_t bytes) {
  if (bytes < kOwnPages) return std::aligned_alloc(kAlignment, bytes);
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return nullptr;
  if (bytes >= kHugePages) madvise(block, bytes, MADV_HUGEPAGE);  // a wish, as in an arena
  return block;
}

void to_system(void* block, std::size_t bytes) noexcept {
  if (bytes < kOwnPages)
    std::free(block);
  else
    munmap(block, bytes);
}

thread_local Memory* scoped = nullptr;

}  // namespace

CachingMemory::~CachingMemory() {
  drop_cache();
}

void* CachingMemory::fresh(std::size_t bytes) {
  if (void* block = from_system(bytes)) return block;
  drop_cache();
  if (void* block = from_system(bytes)) return block;
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
    block = fresh(size);
    lock.lock();
  }
  live_ += size;  // only now: a block the system refused is not in use
  peak_ = std::max(peak_, live_);
  most_ = std::max(most_, live_);
  return block;
}

void CachingMemory::release(void* block, std::size_t bytes) noexcept {
  const std::size_t size = block_size(bytes);
  std::multimap<std::size_t, void*> surplus;  // goes back to the system when the lock is gone
  try {
    surplus.emplace(size, block);
  } catch (const std::bad_alloc&) {
    to_system(block, size);
    const std::lock_guard lock(mutex_);
    live_ -= size;
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    live_ -= size;
    free_.merge(surplus);
    cached_ += size;
    // Sizes that never come again must not pile up: the largest go first.
    while (live_ + cached_ > most_ + most_ / 4) {
      cached_ -= std::prev(free_.end())->first;
      surplus.insert(free_.extract(std::prev(free_.end())));
    }
  }
  for (const auto& [room, unused] : surplus) to_system(unused, room);
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
  for (const auto& [size, block] : free_) to_system(block, size);
  free_.clear();
  cached_ = 0;
}

CachingMemory& heap() {
  static CachingMemory& memory = *new CachingMemory;  // outlives every static tensor
  return memory;
}

/// Takes blocks from the arena, and those released during the step again, lowest first: what a
/// backward pass frees on its way serves the gradients that follow. Counts what it gave out, so
/// that pages still in use are never given out twice.
class StepScope::ArenaMemory final : public Memory {
 public:
  explicit ArenaMemory(Arena& arena) : arena(arena), start(arena.mark()) {}

  void* allocate(std::size_t bytes) override {
    const std::size_t size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    void* block = reused(size);
    if (!block) block = arena.allocate(size);
    ++live_;
    return block;
  }

  void release(void* block, std::size_t bytes) noexcept override {
    const bool last = put_back(static_cast<std::byte*>(block), rounded(bytes));
    if (last) delete this;
  }

  /// The step is over; says how many tensors are still in use. The last of them deletes this.
  std::int64_t close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    return live_;
  }

  Arena& arena;
  const Arena::Mark start;

 private:
  static std::size_t rounded(std::size_t bytes) {
    return std::max<std::size_t>(bytes + kAlignment - 1, kAlignment) / kAlignment * kAlignment;
  }

  void* reused(std::size_t size) {
    const auto found =
        std::ranges::find_if(free_, [&](const auto& block) { return block.second >= size; });
    if (found == free_.end()) return nullptr;
    const auto [block, room] = *found;
    free_.erase(found);
    if (room > size) free_.emplace(block + size, room - size);
    return block;
  }

  /// True where nothing is in use any more after the step's end.
  bool put_back(std::byte* block, std::size_t size) noexcept {
    const std::lock_guard lock(mutex_);
    --live_;
    if (closed_) return live_ == 0;
    try {
      auto next = free_.lower_bound(block);
      if (next != free_.end() && next->first == block + size) {
        size += next->second;
        next = free_.erase(next);
      }
      if (next != free_.begin()) {
        const auto before = std::prev(next);
        if (before->first + before->second == block) {
          before->second += size;
          return false;
        }
      }
      free_.emplace_hint(next, block, size);
    } catch (const std::bad_alloc&) {
      // Then this block is not used again before the step ends.
    }
    return false;
  }

  std::mutex mutex_;
  std::map<std::byte*, std::size_t> free_;  // released in this step; no two touch
  std::int64_t live_ = 0;
  bool closed_ = false;
};

StepScope::StepScope(Arena& arena)
    : memory_(new ArenaMemory(arena)), outer_(std::exchange(scoped, memory_)) {}

StepScope::~StepScope() {
  scoped = outer_;
  const std::int64_t left = memory_->close();
  if (left == 0) {
    memory_->arena.rewind(memory_->start);
    delete memory_;
    return;
  }
  memory_->arena.keep();
  warn(left, " tensors of a step are still in use after it; their pages are kept");
}

LastingScope::LastingScope() : outer_(std::exchange(scoped, nullptr)) {}

LastingScope::~LastingScope() {
  scoped = outer_;
}

Memory& current_memory() {
  return scoped ? *scoped : heap();
}

}  // namespace regard
