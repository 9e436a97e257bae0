#include "regard/backend/cpu/matmul_int8.h"

#include <algorithm>

#include "regard/backend/activate.h"
#include "regard/backend/cpu/int8_tile.h"
#include "regard/backend/cpu/quantised_rows.h"

namespace regard {
namespace {

constexpr Index kTaskRows = 10 * kInt8TileRows;  // they stay in a level-2 cache
constexpr Index kTaskCols = 8 * kInt8Cols;
constexpr Index kTaskWork = 4 << 20;  // multiply-adds below which a thread is not worth waking
constexpr Index kMaxRows = 4096;      // rounded at once: more only take memory

Index pieces(Index n, Index piece) {
  return (n + piece - 1) / piece;
}

/// A tile that overhangs C on the right works on a copy.
void run_edge(RunInt8Tile run, Int8Tile tile, Index cols) {
  f32 copy[kInt8TileRows * kInt8Cols], bias[kInt8Cols] = {};
  if (tile.bias) {
    std::copy_n(tile.bias, cols, bias);
    tile.bias = bias;
  }
  f32* const c = tile.c;
  const Index stride = tile.c_stride;
  tile.c = copy;
  tile.c_stride = kInt8Cols;
  run(tile);
  for (Index r = 0; r < tile.count; ++r) std::copy_n(copy + r * kInt8Cols, cols, c + r * stride);
}

/// Rows [first, first + rows) and columns [begin, end) of C.
void run_task(const Product<f32>& p, const Int8Rows& a, RunInt8Tile run, Index first, Index rows,
              Index begin, Index end) {
  for (Index n = begin; n < end;) {
    const bool wide = rows <= kInt8Few && end - n >= kInt8Wide * kInt8Cols;
    const Index panels = wide ? kInt8Wide : 1, cols = std::min(panels * kInt8Cols, end - n);
    // A step of k reads two lines: one tile has to fetch as many of the next panel, two share that.
    // Few rows wait for memory anyhow.
    const std::int8_t* const next = p.int8.from(n).data + kInt8Cols * p.int8.depth();
    const Index fetching = rows <= kInt8Few ? 0 : rows <= kInt8TileRows ? 1 : 2;
    for (Index r = first; r < first + rows; r += kInt8TileRows) {
      const Index turn = (r - first) / kInt8TileRows;
      const Int8Tile tile{.rows = a.from(r),
                          .count = std::min(kInt8TileRows, first + rows - r),
                          .b = p.int8.from(n),
                          .panels = panels,
                          .bias = p.bias ? p.bias + n : nullptr,
                          .relu = p.activation == Activation::relu,
                          .c = p.c.row(r) + n,
                          .c_stride = p.c.stride,
                          .soon = next + turn * kCacheLine * p.int8.depth() / kInt8Depth,
                          .soon_lines = turn < fetching ? 2 / fetching : 0};
      if (cols < kInt8Cols)
        run_edge(run, tile, cols);
      else
        run(tile);
    }
    n += cols;
  }
}

/// The product of rows that are rounded.
void multiply_rounded(Cpu& cpu, const Product<f32>& p) {
  const Index M = p.c.rows, N = p.c.cols;
  const RunInt8Tile run = int8_tile(cpu);
  const bool whole = M * N * p.int8.K < kTaskWork;
  const Index rows = whole ? M : kTaskRows, cols = whole ? N : kTaskCols, across = pieces(N, cols);
  cpu.parallel(pieces(M, rows) * across, [&](Index task) {
    const Index first = task / across * rows, begin = task % across * cols;
    run_task(p, p.int8_rows, run, first, std::min(rows, M - first), begin,
             std::min(N, begin + cols));
  });
}

/// All but relu, which the tiles have done.
void activate(Cpu& cpu, const Product<f32>& p) {
  if (p.activation == Activation::none || p.activation == Activation::relu) return;
  const bool close = p.c.stride == p.c.cols;
  const Index count = close ? p.c.rows : 1;
  for (Index m = 0; m < p.c.rows; m += count) {
    const Rows<f32> rows{p.c.row(m), count, p.c.cols};
    kernel::activate(cpu, p.activation, rows.cast<const f32>(), rows);
  }
}

}  // namespace

void multiply_int8(Cpu& cpu, const Product<f32>& p) {
  if (p.int8_rows) {
    multiply_rounded(cpu, p);
    return activate(cpu, p);
  }
  for (Index m = 0; m < p.c.rows; m += kMaxRows) {
    const Index rows = std::min(kMaxRows, p.c.rows - m);
    const QuantisedRows a(cpu, {p.a.row(m), rows, p.a.cols, p.a.stride});
    Product<f32> some = p;
    some.int8_rows = a.rows();
    some.c = {p.c.row(m), rows, p.c.cols, p.c.stride};
    multiply_int8(cpu, some);
  }
}

}  // namespace regard
