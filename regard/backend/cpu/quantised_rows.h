#pragma once

#include "regard/backend/int8.h"
#include "regard/base/arena.h"

namespace regard {

/// Rows of activations as whole numbers, in memory of this thread that is given back at the end of
/// the scope.
class QuantisedRows {
 public:
  QuantisedRows(Cpu& cpu, const Matrix<const f32>& x) {
    const Index stride = Int8Rows::stride_of(x.cols);
    auto* q = static_cast<std::uint8_t*>(
        Memory::arena().allocate(static_cast<std::size_t>(x.rows * stride)));
    auto* scales =
        static_cast<f32*>(Memory::arena().allocate(static_cast<std::size_t>(x.rows) * sizeof(f32)));
    kernel::quantise_rows(cpu, x, q, scales);
    rows_ = {q, scales, stride};
  }

  const Int8Rows& rows() const { return rows_; }

 private:
  /// Gives back all that was taken since it was made, also where taking fails.
  class Memory {
   public:
    Memory() : mark_(arena().mark()) {}
    ~Memory() { arena().rewind(mark_); }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    static Arena& arena() {
      thread_local Arena arena(std::size_t{1} << 18);
      return arena;
    }

   private:
    Arena::Mark mark_;
  };
  Memory memory_;
  Int8Rows rows_;
};

}  // namespace regard
