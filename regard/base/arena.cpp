#include "regard/base/arena.h"

#include <sys/mman.h>

#include <algorithm>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kMax = std::size_t{1} << 60;  // rounding up more could overflow

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

Arena::Arena(std::size_t chunk_bytes, Pages pages)
    : chunk_bytes_(rounded_up(chunk_bytes, kHugePage)), pages_(pages) {}

Arena::~Arena() {
  for (const Chunk& chunk : chunks_) munmap(chunk.data, chunk.size);
}

void* Arena::allocate(std::size_t bytes) {
  if (bytes > kMax) fail(Fault::device, "out of memory: a block of ", bytes, " bytes");
  const std::size_t need = rounded_up(std::max<std::size_t>(bytes, 1), kAlignment);
  while (at_.chunk < chunks_.size() && need > chunks_[at_.chunk].size - at_.offset)
    at_ = {at_.chunk + 1, 0};
  if (at_.chunk == chunks_.size()) {
    const std::size_t more = std::max(chunk_bytes_, rounded_up(need, kHugePage));
    if (!add_chunk(more))
      fail(Fault::device, "out of memory: ", more, " bytes more, beside the ", reserved(), " held");
  }
  void* block = chunks_[at_.chunk].data + at_.offset;
  at_.offset += need;
  return block;
}

bool Arena::add_chunk(std::size_t bytes) noexcept {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED) return false;
  if (pages_ == Pages::huge)
    madvise(data, bytes, MADV_HUGEPAGE);  // a wish: without it everything works, only slower
  chunks_.push_back({static_cast<std::byte*>(data), bytes});
  return true;
}

void Arena::rewind(Mark mark) noexcept {
  at_ = std::max(mark, floor_);
  if (at_ != Mark{} || chunks_.size() < 2) return;
  // Blocks of other sizes would leave other gaps at the ends of chunks, and more chunks each time.
  // Some room to spare, which costs nothing until it is touched, keeps a slowly growing load from
  // having all its pages taken and cleared anew time after time.
  const std::size_t total = rounded_up(reserved() + reserved() / 4, kHugePage);
  for (const Chunk& chunk : chunks_) munmap(chunk.data, chunk.size);
  chunks_.clear();
  add_chunk(total);
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
