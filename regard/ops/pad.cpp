#include "regard/ops/pad.h"

#include <vector>

#include "regard/backend/launch.h"
#include "regard/backend/pad.h"
#include "regard/base/check.h"

namespace regard {
namespace {

void check_offsets(std::span<const Index> offsets, Index length) {
  check(!offsets.empty(), "no offsets: even no segments have one offset, 0");
  check(offsets.front() == 0, "offsets of segments begin with 0, got ", offsets.front());
  for (std::size_t b = 1; b < offsets.size(); ++b) {
    const Index size = offsets[b] - offsets[b - 1];
    check(size >= 0, "offset ", b, " is ", offsets[b], ", below ", offsets[b - 1],
          " before it; offsets must not fall");
    check(size <= length, "segment ", b - 1, " has ", size, " rows, more than the ", length,
          " it is padded to");
  }
}

Tensor padded(const Tensor& x, std::span<const Index> offsets, Index length) {
  const Index B = static_cast<Index>(offsets.size()) - 1;
  Tensor y = Tensor::empty({B, length, x.size(1)}, x.dtype());
  launch(x.device(), kernel::pad, Ragged{offsets, length}, rows(x), rows(y));
  return y;
}

Tensor unpadded(const Tensor& x, std::span<const Index> offsets) {
  Tensor y = Tensor::empty({offsets.back(), x.size(2)}, x.dtype());
  launch(x.device(), kernel::unpad, Ragged{offsets, x.size(1)}, rows(x), rows(y));
  return y;
}

}  // namespace

Var pad(const Var& rows, std::span<const Index> offsets, Index length) {
  check(rows.rank() == 2, "ragged rows have shape ", rows.shape(), ", expected [N, D]");
  check_offsets(offsets, length);
  check(offsets.back() == rows.size(0), "the last offset is ", offsets.back(), ", but there are ",
        rows.size(0), " rows");
  std::vector<Index> kept(offsets.begin(), offsets.end());
  return record(padded(rows.value(), offsets, length), {rows},
                [rows, kept](const Tensor& dy) { rows.accumulate(unpadded(dy, kept)); });
}

Var unpad(const Var& x, std::span<const Index> offsets) {
  check(x.rank() == 3, "padded rows have shape ", x.shape(), ", expected [B, T, D]");
  check_offsets(offsets, x.size(1));
  check(static_cast<Index>(offsets.size()) == x.size(0) + 1, "a batch of ", x.size(0), " takes ",
        x.size(0) + 1, " offsets, got ", offsets.size());
  std::vector<Index> kept(offsets.begin(), offsets.end());
  return record(unpadded(x.value(), offsets), {x},
                [x, kept](const Tensor& dy) { x.accumulate(padded(dy, kept, x.size(1))); });
}

}  // namespace regard
