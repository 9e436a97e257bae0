#include "regard/backend/transpose.h"

#include <algorithm>

namespace regard::kernel {
namespace {

// A tile reads four cache lines of each column of x, so that a page is worth its visit, and writes
// whole lines of y.
constexpr Index kTileRows = 64, kTileCols = 16;

/// One plane of the box: `rows` lie `x_row` apart in x and `y_row` in y, `cols` lie `x_col` apart
/// in x and next to each other in y.
struct Plane {
  Index rows, cols, x_row, x_col, y_row;
};

/// REQUIRES end - begin <= kTileRows.
template <Real T>
void copy_rows(const Plane& plane, const T* x, T* y, Index begin, Index end) {
  if (plane.x_col == 1) {
    for (Index r = begin; r < end; ++r)
      std::copy_n(x + r * plane.x_row, plane.cols, y + r * plane.y_row);
    return;
  }
  // Through a tile in the first cache: each line of x is read once and each of y written once, also
  // where rows lie a power of two apart and would push each other out.
  T tile[kTileRows][kTileCols];
  for (Index first = 0; first < plane.cols; first += kTileCols) {
    const Index width = std::min(kTileCols, plane.cols - first);
    for (Index c = 0; c < width; ++c)
      for (Index r = begin; r < end; ++r)
        tile[r - begin][c] = x[r * plane.x_row + (first + c) * plane.x_col];
    for (Index r = begin; r < end; ++r)
      std::copy_n(tile[r - begin], width, y + r * plane.y_row + first);
  }
}

/// The axis beside the last whose elements lie closest in x: the two make the plane that tiles
/// cover.
int nearest_axis(const StridedBox& box) {
  int nearest = 0;
  for (int axis = 1; axis < box.rank - 1; ++axis)
    if (box.strides[axis] <= box.strides[nearest]) nearest = axis;
  return nearest;
}

template <Real T>
void permute_box(Cpu& cpu, StridedBox box, const T* x, T* y, Index count) {
  if (count == 0) return;
  if (box.rank == 1) {  // one row
    box = {2, {1, box.sizes[0]}, {0, box.strides[0]}};
  }
  const int last = box.rank - 1, near = nearest_axis(box);
  std::array<Index, Shape::kMaxRank> y_strides{};
  Index step = 1;
  for (int axis = last; axis >= 0; --axis) {
    y_strides[axis] = step;
    step *= box.sizes[axis];
  }
  const Plane plane{box.sizes[near], box.sizes[last], box.strides[near], box.strides[last],
                    y_strides[near]};
  const Index bands = (plane.rows + kTileRows - 1) / kTileRows;
  const Index planes = count / (plane.rows * plane.cols);
  const Index grain = std::max<Index>(1, (1 << 14) / (kTileRows * plane.cols));
  cpu.parallel_ranges(planes * bands, grain, [&](Index begin, Index end) {
    for (Index task = begin; task < end; ++task) {
      Index rest = task / bands, from = 0, to = 0;
      for (int axis = last - 1; axis >= 0; --axis) {
        if (axis == near) continue;
        const Index i = rest % box.sizes[axis];
        rest /= box.sizes[axis];
        from += i * box.strides[axis];
        to += i * y_strides[axis];
      }
      const Index first = task % bands * kTileRows;
      copy_rows(plane, x + from, y + to, first, std::min(plane.rows, first + kTileRows));
    }
  });
}

}  // namespace

void Permute::operator()(Cpu& cpu, const StridedBox& box, Rows<const f32> x, Rows<f32> y) const {
  permute_box(cpu, box, x.data, y.data, y.size());
}
void Permute::operator()(Cpu& cpu, const StridedBox& box, Rows<const f64> x, Rows<f64> y) const {
  permute_box(cpu, box, x.data, y.data, y.size());
}

}  // namespace regard::kernel
