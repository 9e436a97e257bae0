#include "regard/base/arena.h"

#include <sys/mman.h>

#include <algorithm>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

Arena::Arena(std::size_t chunk_bytes) : chunk_bytes_(rounded_up(chunk_bytes, kHugePage)) {}

Arena::~Arena() {
  for (const Chunk& chunk : chunks_) munmap(chunk.data, chunk.size);
}

void* Arena::allocate(std::size_t bytes) {
  const std::size_t need = rounded_up(std::max<std::size_t>(bytes, 1), kAlignment);
  while (at_.chunk < chunks_.size()) {
    Chunk& chunk = chunks_[at_.chunk];
    if (need <= chunk.size - at_.offset) {
      void* block = chunk.data + at_.offset;
      at_.offset += need;
      return block;
    }
    at_ = {at_.chunk + 1, 0};
  }
  const std::size_t size = std::max(chunk_bytes_, rounded_up(need, kHugePage));
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    fail(Fault::device, "out of memory: ", size, " bytes more, beside the ", reserved(), " held");
  madvise(data, size, MADV_HUGEPAGE);  // a wish: without it everything works, only slower
  chunks_.push_back({static_cast<std::byte*>(data), size});
  at_ = {chunks_.size() - 1, need};
  return data;
}

std::size_t Arena::used() const {
  std::size_t total = at_.offset;
  for (std::size_t i = 0; i < at_.chunk && i < chunks_.size(); ++i) total += chunks_[i].size;
  return total;
}

std::size_t Arena::reserved() const {
  std::size_t total = 0;
  for (const Chunk& chunk : chunks_) total += chunk.size;
  return total;
}

}  // namespace regard
