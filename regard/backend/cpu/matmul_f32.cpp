#include "regard/backend/cpu/matmul_f32.h"

#include <algorithm>

#include "regard/backend/cpu/matmul_int8.h"
#include "regard/backend/cpu/matmul_one.h"
#include "regard/base/arena.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "regard/backend/cpu/matmul_f32.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "regard/backend/cpu/math-inl.h"
#include "regard/backend/cpu/matmul_pack-inl.h"
#include "regard/backend/cpu/matmul_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace regard {
namespace HWY_NAMESPACE {

TileShape ShapeOfTile() {
  return {kTileRows, kTileCols};
}

/// A tile that overhangs C on the right works on a copy.
void RunEdgeTile(Index rows, Index cols, Lines lines, Tile t) {
  HWY_ALIGN float copy[kTileRows * kTileCols] = {};
  HWY_ALIGN float bias[kTileCols] = {};
  float* const c = t.c;
  const Index stride = t.c_stride;
  if (!t.fresh)
    for (Index r = 0; r < rows; ++r) std::copy_n(c + r * stride, cols, copy + r * kTileCols);
  if (t.bias) t.bias = std::copy_n(t.bias, cols, bias) - cols;
  t.c = copy;
  t.c_stride = kTileCols;
  RunTileOf(rows, lines, t);
  for (Index r = 0; r < rows; ++r) std::copy_n(copy + r * kTileCols, cols, c + r * stride);
}

void ActivateAll(Activation activation, Matrix<float> c) {
  const TileTag d;
  for (Index m = 0; m < c.rows; ++m) {
    float* row = c.row(m);
    Index n = 0;
    for (; n + kVector <= c.cols; n += kVector)
      hn::StoreU(Activate(d, activation, hn::LoadU(d, row + n)), d, row + n);
    if (n == c.cols) continue;
    HWY_ALIGN float rest[kVector] = {};
    std::copy_n(row + n, c.cols - n, rest);
    hn::Store(Activate(d, activation, hn::Load(d, rest)), d, rest);
    std::copy_n(rest, c.cols - n, row + n);
  }
}

/// One panel of the block from column n on, over the piece of k that begins at k.
void RunPiece(const Block& block, Index n, Index k) {
  const Matrix<float>& c = block.c;
  const Panels& b = block.b;
  const Index cols = std::min(kTileCols, c.cols - n), depth = std::min(block.a.step, block.k - k);
  const bool last = k + depth == block.k;
  const Index row_step = block.a.lines == Lines::columns ? 1
                         : block.a.lines == Lines::rows  ? block.a.stride
                                                         : kRowPitch;
  const float* panel = b.at(n, k);
  const float* next = b.k_step == kTileCols    ? panel + depth * kTileCols
                      : n + kTileCols < c.cols ? b.at(n + kTileCols, k)
                                               : b.at(0, k + depth);
  // The fewer tiles take turns, the more of what comes next each has to fetch. A low one alone
  // waits for memory anyhow.
  const Index tiles = (c.rows + kTileRows - 1) / kTileRows;
  const Index soon = c.rows < kTileRows ? 1 : (8 + tiles - 1) / tiles;
  for (Index m = 0; m < c.rows; m += kTileRows) {
    const Index rows = std::min(kTileRows, c.rows - m);
    const bool copied = b.copy && m > 0;
    const Tile tile{.a = block.a.data + k / block.a.step * block.a.piece + m * row_step,
                    .a_stride = block.a.stride,
                    .b = copied ? b.copy : panel,
                    .b_step = copied ? kTileCols : b.k_step,
                    .c = c.row(m) + n,
                    .c_stride = c.stride,
                    .k = depth,
                    .fresh = block.fresh && k == 0,
                    .bias = last && block.bias ? block.bias + n : nullptr,
                    .relu = last && block.activation == Activation::relu,
                    .copy = m == 0 ? b.copy : nullptr,
                    .soon = next + m / kTileRows * (depth / 8) * soon * b.k_step,
                    .soon_count = soon,
                    .soon_step = b.k_step};
    if (cols == kTileCols)
      RunTileOf(rows, block.a.lines, tile);
    else
      RunEdgeTile(rows, cols, block.a.lines, tile);
  }
}

/// Panel by panel and, within one, through all of k, so that its sums stay in the nearest caches.
void RunBlock(const Block& block) {
  for (Index n = 0; n < block.c.cols; n += kTileCols) {
    Index k = 0;
    do RunPiece(block, n, k);
    while ((k += block.a.step) < block.k);
    if (block.activation != Activation::none && block.activation != Activation::relu)
      ActivateAll(block.activation, {block.c.data + n, block.c.rows,
                                     std::min(kTileCols, block.c.cols - n), block.c.stride});
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace regard
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace regard {
namespace {

HWY_EXPORT(ShapeOfTile);
HWY_EXPORT(PackRows);
HWY_EXPORT(PackPanel);
HWY_EXPORT(RunBlock);

// All by measurement, on caches of 48 KiB and 1.25 MiB.
constexpr Index kTaskRows = 144;           // of A, packed: a fraction of a level-2 cache
constexpr Index kTaskRowsLeast = 72;       // fewer would load a panel of B too often
constexpr Index kTaskCols = 256;           // fewer would pack the rows of A too often
constexpr Index kTasks = 8;                // enough for a few threads to share a product evenly
constexpr Index kTaskWork = 1 << 20;       // multiply-adds below which a thread is not worth waking
constexpr Index kMaxTasks = 56;            // of a large product, for many threads,
constexpr Index kTasksPerThread = 8;       // and for few: more would be low, and read B more often
constexpr Index kLargeTaskWork = 1 << 25;  // multiply-adds of a task that costs nothing to have
constexpr Index kPackedRows = 144 << 10;   // elements of A packed at once: half a level-2 cache
constexpr Index kPanelBytes = 1 << 20;     // of B packed at once: they stay in the level-2 cache
constexpr Index kMaxCols = 8192;           // of B packed at once, at the least depth
constexpr Index kUnpackedRows = 144;       // up to these packing B beforehand does not repay
constexpr Index kShallow = 64;   // a panel no deeper stays in the level-1 cache as it lies
constexpr Index kFar = 1024;     // columns of A this far apart share sets of a cache
constexpr Index kFarRows = 512;  // and so do rows a multiple of this apart: not read in place

Index pieces(Index n, Index piece) {
  return (n + piece - 1) / piece;
}
Index rounded_up(Index n, Index unit) {
  return pieces(n, unit) * unit;
}

/// Memory of this thread for packed operands, given back at the end of the scope. Apart from
/// scratch(), so that a kernel that uses scratch() may call this one.
class Packing {
 public:
  Packing() : mark_(arena().mark()) {}
  ~Packing() { arena().rewind(mark_); }
  Packing(const Packing&) = delete;
  Packing& operator=(const Packing&) = delete;

  f32* floats(Index count) {
    return static_cast<f32*>(arena().allocate(static_cast<std::size_t>(count) * sizeof(f32)));
  }

 private:
  static Arena& arena() {
    thread_local Arena arena(std::size_t{2} << 20);
    return arena;
  }
  Arena::Mark mark_;
};

/// A range of rows, columns and depth of one product, and how it is shared out.
struct Cut {
  TileShape tile;
  Index panel = 0;  // columns of a packed one
  Index m = 0, rows = 0, n = 0, cols = 0, k = 0, depth = 0;
};

/// Rows of op(X) from `row` on, columns from `col` on, as X stores them.
Matrix<const f32> part(const Matrix<const f32>& x, bool transposed, const Cut& cut, bool is_a) {
  const Index row = is_a ? cut.m : cut.k, rows = is_a ? cut.rows : cut.depth;
  const Index col = is_a ? cut.k : cut.n, cols = is_a ? cut.depth : cut.cols;
  if (transposed) return {x.data + col * x.stride + row, cols, rows, x.stride};
  return {x.data + row * x.stride + col, rows, cols, x.stride};
}

/// The block of a task whose panels are not packed beforehand: read in place and copied in passing
/// where they can be, packed one by one where not.
void run_unpacked(const Product<f32>& p, const Cut& cut, Block block, f32* panel) {
  const Index width = cut.tile.cols;
  const Index whole = p.transpose_b ? 0 : cut.cols / width * width;
  if (whole > 0) {
    Block main = block;
    main.c.cols = whole;
    const bool repays = cut.rows > cut.tile.rows && cut.depth > kShallow;
    main.b = {p.b.row(cut.k) + cut.n, width, p.b.stride, width, repays ? panel : nullptr};
    HWY_DYNAMIC_DISPATCH(RunBlock)(main);
  }
  for (Index n = whole; n < cut.cols; n += width) {
    Cut here = cut;
    here.n = cut.n + n;
    here.cols = std::min(width, cut.cols - n);
    HWY_DYNAMIC_DISPATCH(PackPanel)
    (part(p.b, p.transpose_b, here, false), p.transpose_b, panel, width);
    Block one = block;
    one.b = {panel, width, width, 0};
    one.c = {block.c.data + n, block.c.rows, here.cols, block.c.stride};
    if (one.bias) one.bias += n;
    HWY_DYNAMIC_DISPATCH(RunBlock)(one);
  }
}

/// C of the cut. `panels` holds its packed columns, if they are packed.
void run_task(const Product<f32>& p, const Cut& cut, const f32* panels) {
  const Index K = p.transpose_a ? p.a.rows : p.a.cols;
  const Index height = rounded_up(cut.rows, cut.tile.rows);
  // As much of k at once as leaves the packed rows in the level-2 cache.
  const Index most =
      panels ? std::clamp(kPackedRows / height / kDepth, Index{1}, Index{4}) * kDepth : kDepth;
  const bool in_place = p.transpose_a ? p.a.stride < kFar : p.a.stride % kFarRows != 0;
  Packing packing;
  f32* rows = in_place ? nullptr : packing.floats(most / kDepth * height * kRowPitch);
  f32* panel = packing.floats(most * cut.tile.cols);
  Index k = 0;
  do {  // once even where K is 0: the bias is still to be added
    Cut here = cut;
    here.k = cut.k + k;
    here.depth = std::min(most, cut.depth - k);
    const Index count = std::max<Index>(1, pieces(here.depth, kDepth));
    const Index step = std::max<Index>(4, rounded_up(pieces(here.depth, count), 4));
    LeftRows left{rows, step, height * kRowPitch, p.transpose_a ? Lines::strips : Lines::packed};
    if (in_place && p.transpose_a)
      left = {p.a.row(here.k) + here.m, step, step * p.a.stride, Lines::columns, p.a.stride};
    else if (in_place)
      left = {p.a.row(here.m) + here.k, step, step, Lines::rows, p.a.stride};
    for (Index i = 0; i < count && !in_place; ++i) {
      Cut piece = here;
      piece.k = here.k + i * step;
      piece.depth = std::min(step, here.depth - i * step);
      HWY_DYNAMIC_DISPATCH(PackRows)
      (part(p.a, p.transpose_a, piece, true), p.transpose_a, rows + i * left.piece);
    }
    const bool last = here.k + here.depth == K;
    const Index width = cut.panel;
    const Block block{.a = left,
                      .b = {panels ? panels + k * width : nullptr, width, width, cut.depth * width},
                      .c = {p.c.row(cut.m) + cut.n, cut.rows, cut.cols, p.c.stride},
                      .k = here.depth,
                      .fresh = here.k == 0 && !p.accumulate,
                      .bias = last && p.bias ? p.bias + cut.n : nullptr,
                      .activation = last ? p.activation : Activation::none};
    if (panels)
      HWY_DYNAMIC_DISPATCH(RunBlock)(block);
    else
      run_unpacked(p, here, block, panel);
  } while ((k += most) < cut.depth);
}

/// How many tasks a product is worth: by its size, or one where no other thread can help.
Index task_count(const Cpu& cpu, const Cut& cut) {
  if (runs_in_place() || cpu.concurrency() == 1) return 1;
  const Index work = cut.rows * cut.cols * std::max<Index>(cut.depth, 1);
  const Index few = std::clamp<Index>(work / kTaskWork, 1, kTasks);
  const Index most = std::clamp(kTasksPerThread * cpu.concurrency(), kTasks, kMaxTasks);
  return std::clamp(work / kLargeTaskWork, few, most);
}

void run_tasks(Cpu& cpu, const Product<f32>& p, const Cut& cut, const f32* panels) {
  const Index tasks = task_count(cpu, cut);
  // Tiles of a transposed A are many k long and copy B: the more of them take turns, the better.
  const Index least = p.transpose_a && !panels ? kTaskRows : kTaskRowsLeast;
  const Index widest = pieces(cut.cols, kTaskCols);
  // B of so many columns lies in memory: it is cut across first, as each row of tasks reads it all.
  const Index low = cut.cols >= kMaxCols ? pieces(tasks, widest) : tasks;
  const Index height = std::clamp(pieces(cut.rows, low), least, kTaskRows);
  const Index rows = height / cut.tile.rows * cut.tile.rows, down = pieces(cut.rows, rows);
  const Index across = std::min(pieces(tasks, down), widest);
  const Index cols = rounded_up(pieces(cut.cols, across), cut.panel);
  const Index wide = pieces(cut.cols, cols);
  cpu.parallel(down * wide, [&](Index i) {
    Cut task = cut;
    // Column by column, so that threads at work at once share what they read of B.
    task.m = i % down * rows;
    task.rows = std::min(rows, cut.rows - task.m);
    task.n = cut.n + i / down * cols;
    task.cols = std::min(cols, cut.n + cut.cols - task.n);
    run_task(p, task, panels ? panels + (task.n - cut.n) * cut.depth : nullptr);
  });
}

/// The columns of the cut in panels, a tile's at a time.
void pack(Cpu& cpu, const Product<f32>& p, const Cut& cut, f32* panels) {
  const Index width = cut.tile.cols;
  const Index count = rounded_up(cut.cols, cut.panel) / width;
  const Index grain = std::max<Index>(1, (1 << 16) / (width * std::max<Index>(cut.depth, 1)));
  cpu.parallel_ranges(count, grain, [&](Index begin, Index end) {
    for (Index n = begin * width; n < end * width; n += width) {
      Cut some = cut;
      some.n = cut.n + std::min(n, cut.cols);
      some.cols = std::clamp<Index>(cut.cols - n, 0, width);
      HWY_DYNAMIC_DISPATCH(PackPanel)
      (part(p.b, p.transpose_b, some, false), p.transpose_b,
       panels + n / cut.panel * cut.panel * cut.depth + n % cut.panel, cut.panel);
    }
  });
}

TileShape shape_of_tile() {
  return HWY_DYNAMIC_DISPATCH(ShapeOfTile)();
}

}  // namespace

void kernel::PackPanels::operator()(Cpu& cpu, Matrix<const f32> b, bool transposed,
                                    f32* panels) const {
  const Cut all{.tile = shape_of_tile(),
                .panel = kPanelCols,
                .cols = transposed ? b.rows : b.cols,
                .depth = transposed ? b.cols : b.rows};
  pack(cpu, {.a = {}, .b = b, .c = {}, .transpose_b = transposed}, all, panels);
}

void multiply(Cpu& cpu, const Product<f32>& p) {
  if (p.int8) return multiply_int8(cpu, p);
  const Index M = p.c.rows, N = p.c.cols, K = p.transpose_a ? p.a.rows : p.a.cols;
  const TileShape tile = shape_of_tile();
  Cut all{.tile = tile, .panel = kPanelCols, .rows = M, .cols = N, .depth = K};
  if (p.panels) return run_tasks(cpu, p, all, p.panels);
  all.panel = tile.cols;
  // Where A is transposed, C is small and k long: tasks then need not wait for each other's
  // packing.
  const bool deep = p.transpose_a && !p.transpose_b;
  if (M <= kUnpackedRows || deep) return run_tasks(cpu, p, all, nullptr);

  const Index cols = std::min(rounded_up(N, tile.cols), kMaxCols);
  const Index most = std::max<Index>(kPanelBytes / Index{sizeof(f32)} / cols, kDepth);
  const Index depth = std::min(K, most / kDepth * kDepth);
  Packing packing;
  f32* panels = packing.floats(depth * cols);
  for (Index n = 0; n < N; n += cols)
    for (Index k = 0; k < std::max<Index>(K, 1); k += std::max<Index>(depth, 1)) {
      Cut cut = all;
      cut.n = n;
      cut.cols = std::min(cols, N - n);
      cut.k = k;
      cut.depth = std::min(depth, K - k);
      pack(cpu, p, cut, panels);
      run_tasks(cpu, p, cut, panels);
    }
}

}  // namespace regard
#endif
