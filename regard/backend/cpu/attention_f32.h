#pragma once

#include "regard/backend/attention.h"

namespace regard {

// How f32 attention is cut (Dao et al. 2022, FlashAttention; Rabe & Staats 2021): blocks of keys
// run past blocks of queries, and each query keeps a running peak, sum and output. Keys are cut
// from the start of their segment on, so that a query meets the same blocks alone as among others.

constexpr Index kKeyBlock = 128;  // keys at once: with them, scores and operands stay in level 2
constexpr Index kPanel = 32;      // keys side by side in a transposed operand
constexpr Index kRowBlock = 64;   // queries at once, at most
constexpr Index kChunk = 1024;    // queries of one forward task: each packs its keys anew
constexpr Index kSlab = 64;       // columns of an operand that lie together
constexpr Index kSumLanes = 16;   // partial sums of a row: key s in lane s mod 16

constexpr Index rounded_up(Index n, Index step) {
  return (n + step - 1) / step * step;
}

/// Elements of `rows` rows in slabs: [slab][row][kSlab].
constexpr Index slab_size(Index rows, Index width) {
  return rows * rounded_up(width, kSlab);
}

/// The keys of one segment and key head, and the queries that read them. Query rows are numbered
/// over the heads of the group: row r is query r mod T of the group's head r / T.
struct AttentionGroup {
  const AttentionProblem<f32>& problem;
  Index segment, key_head;

  Index queries() const { return problem.queries.length(segment); }  // T
  Index keys() const { return problem.keys.length(segment); }        // S
  Index heads() const { return problem.q.heads / problem.k.heads; }
  Index rows() const { return heads() * queries(); }
  Index head(Index row) const { return key_head * heads() + row / queries(); }
  Index query(Index row) const { return row % queries(); }
  Index token(Index row) const { return problem.queries.begin(segment) + query(row); }
  Index key_token(Index key) const { return problem.keys.begin(segment) + key; }
};

/// The rows of a group that a task takes.
struct AttentionChunk {
  AttentionGroup group;
  Index first, count;
};

/// Hands out pieces of one block of scratch memory, each aligned to 64 bytes. The size is found by
/// a first walk over the same pieces with no block.
class Carver {
 public:
  explicit Carver(std::byte* block) : block_(block) {}

  template <class T>
  T* take(Index count) {
    std::byte* piece = block_ ? block_ + used_ : nullptr;
    used_ += rounded_up(count * static_cast<Index>(sizeof(T)), 64);
    return reinterpret_cast<T*>(piece);
  }
  Index used() const { return used_; }

 private:
  std::byte* block_;
  Index used_ = 0;
};

/// A struct of scratch arrays, made by the function `carve(Carver&)`.
template <class Carve>
auto carved(const Carve& carve) {
  Carver size(nullptr);
  carve(size);
  Carver pieces(scratch_bytes(static_cast<std::size_t>(size.used())));
  return carve(pieces);
}

void attend_f32(const AttentionChunk& chunk, Heads<f32> y, Rows<f32> norms);
void attend_backward_f32(const AttentionGroup& group, const AttentionGradients<f32>& gradients);
void attention_weights_f32(const AttentionChunk& chunk, Rows<const f32> norms, f32* weights);

}  // namespace regard
