#include "regard/ops/mask.h"

#include <algorithm>
#include <utility>

#include "regard/base/check.h"

namespace regard {
namespace {

/// Strides of (row, head, query, key) over a table of `shape`, 0 along axes of size 1 or absent
/// ones.
MaskView<f32>::Strides broadcast_strides(const Shape& shape) {
  MaskView<f32>::Strides strides{};
  Index step = 1;
  for (int axis = 1; axis <= shape.rank(); ++axis) {
    if (shape[-axis] != 1) strides[static_cast<std::size_t>(4 - axis)] = step;
    step *= shape[-axis];
  }
  return strides;
}

void check_table(const char* what, const Shape& table, const ScoreShape& scores) {
  const Shape full{scores.rows, scores.heads, scores.queries, scores.keys};
  check(table.rank() <= 4, what, " has shape ", table, ", expected at most [B, H, T, S]");
  check(broadcast(table, full) == full, what, " of shape ", table,
        " does not broadcast to the scores' ", full);
}

}  // namespace

Mask Mask::window(Index left, Index right) {
  check(left >= 0 && right >= 0, "a window reaches ", left, " keys back and ", right,
        " ahead, expected 0 or more");
  Mask mask;
  mask.left_ = std::min(left, kUnbounded);
  mask.right_ = std::min(right, kUnbounded);
  return mask;
}

Mask Mask::valid(std::vector<Index> lens) {
  return valid(std::move(lens), 0);
}

Mask Mask::valid(std::vector<Index> lens, Index queries) {
  for (const Index len : lens) check(len >= 0, "a valid length is ", len, ", expected 0 or more");
  Mask mask;
  mask.lens_ = std::make_shared<const Lens>(Lens{std::move(lens), queries});
  return mask;
}

Mask Mask::table(Shape shape, std::vector<std::uint8_t> allowed) {
  check(static_cast<Index>(allowed.size()) == shape.count(), "a mask of shape ", shape, " takes ",
        shape.count(), " entries, got ", allowed.size());
  Mask mask;
  mask.table_ = std::make_shared<const Table>(Table{shape, std::move(allowed)});
  return mask;
}

Mask Mask::additive(Var bias) {
  Mask mask;
  mask.bias_ = std::move(bias);
  return mask;
}

Mask Mask::distance(std::vector<double> slopes) {
  Mask mask;
  mask.slopes_ = std::make_shared<const std::vector<double>>(std::move(slopes));
  return mask;
}

bool Mask::is_full() const {
  return left_ == kUnbounded && right_ == kUnbounded && !lens_ && !table_ && !bias_ && !slopes_;
}

Mask Mask::detached() const {
  Mask mask = *this;
  if (bias_) mask.bias_ = Var(bias_.value());
  return mask;
}

void Mask::check_fits(const ScoreShape& shape) const {
  if (lens_) {
    const Index expected = shape.rows * (lens_->queries ? shape.queries : 1);
    check(lens_->queries == 0 || lens_->queries == shape.queries, "valid lengths are for ",
          lens_->queries, " queries, but there are ", shape.queries);
    check(static_cast<Index>(lens_->lens.size()) == expected, "expected ", expected,
          " valid lengths for a batch of ", shape.rows, ", got ", lens_->lens.size());
    for (const Index len : lens_->lens)
      check(len <= shape.keys, "a valid length is ", len, ", but there are only ", shape.keys,
            " keys");
  }
  if (table_) check_table("a mask", table_->shape, shape);
  if (bias_) check_table("an additive mask", bias_.shape(), shape);
  if (slopes_)
    check(static_cast<Index>(slopes_->size()) == shape.heads, "expected one slope a head, ",
          shape.heads, ", got ", slopes_->size());
}

Untyped<MaskView<std::byte>> Mask::view(const ScoreShape& shape, Dtype dtype,
                                        Tensor& keeper) const {
  check_fits(shape);
  MaskView<std::byte> view;
  view.left = left_;
  view.right = right_;
  if (lens_) {
    view.lens = lens_->lens.data();
    view.lens_row = std::max<Index>(1, lens_->queries);
    view.lens_query = lens_->queries ? 1 : 0;
  }
  if (table_) {
    view.allowed = table_->allowed.data();
    view.allowed_strides = broadcast_strides(table_->shape);
  }
  if (bias_) {
    check(bias_.dtype() == dtype, "an additive mask is of ", name(bias_.dtype()),
          " but the scores are of ", name(dtype));
    view.bias = static_cast<const std::byte*>(bias_.value().data());
    view.bias_strides = broadcast_strides(bias_.shape());
  }
  if (slopes_) {
    keeper = Tensor::of({shape.heads}, *slopes_, dtype);
    view.slopes = static_cast<const std::byte*>(std::as_const(keeper).data());
  }
  return {view, dtype};
}

bool Mask::visible(const ScoreShape& shape, Index b, Index h, Index t, Index s) const {
  const Dtype dtype = bias_ ? bias_.dtype() : Dtype::f64;
  Tensor keeper;
  const Untyped<MaskView<std::byte>> raw = view(shape, dtype, keeper);
  return visit(dtype, [&]<class T>(T) {
    const MaskView<T> mask = raw.view.template cast<T>();
    const KeyRange keys = mask.range(b, t, shape.queries, shape.keys);
    return s >= keys.begin && s < keys.end && mask.permits(b, h, t, s) &&
           mask.added(b, h, t, s, t + shape.keys - shape.queries) >
               -std::numeric_limits<T>::infinity();
  });
}

std::vector<std::uint8_t> Mask::seen_keys(const ScoreShape& shape) const {
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(shape.rows * shape.keys));
  const Dtype dtype = bias_ ? bias_.dtype() : Dtype::f64;
  Tensor keeper;
  const Untyped<MaskView<std::byte>> raw = view(shape, dtype, keeper);
  visit(dtype, [&]<class T>(T) {
    const MaskView<T> mask = raw.view.template cast<T>();
    const Index heads = mask.each_key_differs() ? shape.heads : 1;
    for (Index b = 0; b < shape.rows; ++b)
      for (Index t = 0; t < shape.queries; ++t) {
        const KeyRange keys = mask.range(b, t, shape.queries, shape.keys);
        for (Index s = keys.begin; s < keys.end; ++s)
          for (Index h = 0; h < heads && !seen[static_cast<std::size_t>(b * shape.keys + s)]; ++h)
            seen[static_cast<std::size_t>(b * shape.keys + s)] =
                mask.permits(b, h, t, s) && mask.added(b, h, t, s, t + shape.keys - shape.queries) >
                                                -std::numeric_limits<T>::infinity();
      }
  });
  return seen;
}

}  // namespace regard
