#pragma once

#include <compare>
#include <cstddef>
#include <vector>

namespace regard {

/// Huge pages are quicker to reach, and are taken 2 MiB at a time.
enum class Pages { usual, huge };

/// A bump allocator. Blocks are given out in order and taken back all at once by
/// rewinding; the pages stay with the arena, so in a loop nothing is asked of the system any more
/// once the largest step has been seen. Not for use from two threads at once.
class Arena {
 public:
  static constexpr std::size_t kAlignment = 64;

  explicit Arena(std::size_t chunk_bytes = std::size_t{32} << 20, Pages pages = Pages::huge);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Uninitialised, aligned to 64. Throws Error(device) when the system has no more memory.
  void* allocate(std::size_t bytes);

  struct Mark {
    std::size_t chunk = 0, offset = 0;

    friend auto operator<=>(const Mark&, const Mark&) = default;
  };
  Mark mark() const { return at_; }
  /// Takes back all blocks given out since the mark. Back at the start, several chunks become one.
  void rewind(Mark mark) noexcept;
  void reset() noexcept { rewind({}); }
  /// What is given out now is never taken back.
  void keep() { floor_ = at_; }

  std::size_t used() const;      ///< bytes given out since the last reset
  std::size_t reserved() const;  ///< bytes held from the system

 private:
  struct Chunk {
    std::byte* data;
    std::size_t size;
  };

  bool add_chunk(std::size_t bytes) noexcept;

  std::size_t chunk_bytes_;
  Pages pages_;
  std::vector<Chunk> chunks_;
  Mark at_, floor_;
};

}  // namespace regard
