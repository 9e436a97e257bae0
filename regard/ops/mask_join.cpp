// Joining masks: each part of the result is the meeting of the same parts of the two.
#include <algorithm>
#include <limits>

#include "regard/base/check.h"
#include "regard/ops/add.h"
#include "regard/ops/mask.h"

namespace regard {
namespace {

/// Offset of the element of `shape` that the i-th element of `whole` reads under broadcasting.
Index broadcast_offset(const Shape& whole, const Shape& shape, Index i) {
  Index offset = 0, step = 1;
  for (int axis = 1; axis <= whole.rank(); ++axis) {
    const Index at = i % whole[-axis];
    i /= whole[-axis];
    if (axis > shape.rank()) continue;
    if (shape[-axis] != 1) offset += at * step;
    step *= shape[-axis];
  }
  return offset;
}

}  // namespace

Mask operator&(const Mask& a, const Mask& b) {
  Mask mask = a;
  mask.left_ = std::min(a.left_, b.left_);
  mask.right_ = std::min(a.right_, b.right_);
  mask.lens_ = a.lens_ && b.lens_ ? Mask::shorter(*a.lens_, *b.lens_) : a.lens_ ? a.lens_ : b.lens_;
  mask.table_ = a.table_ && b.table_ ? Mask::both(*a.table_, *b.table_)
                : a.table_           ? a.table_
                                     : b.table_;
  if (a.bias_ && b.bias_) {
    // What one of them hides stays hidden, whatever the other adds to it.
    const auto shown = Mask::both(Mask::shown_by(a.bias_), Mask::shown_by(b.bias_));
    mask.table_ = mask.table_ ? Mask::both(*mask.table_, *shown) : shown;
    mask.bias_ = add(a.bias_, b.bias_);
  } else if (b.bias_) {
    mask.bias_ = b.bias_;
  }
  check(!a.slopes_ || !b.slopes_, "two distance penalties cannot be joined; add up their slopes");
  if (b.slopes_) mask.slopes_ = b.slopes_;
  return mask;
}

std::shared_ptr<const Mask::Lens> Mask::shorter(const Lens& a, const Lens& b) {
  const Lens& fine = a.queries ? a : b;  // one length a query, if either has that
  const Lens& other = a.queries ? b : a;
  const Index repeat = other.queries == fine.queries ? 1 : fine.queries;
  check(other.queries == 0 || repeat == 1, "valid lengths for ", a.queries, " and for ", b.queries,
        " queries cannot be joined");
  check(
      fine.lens.size() == other.lens.size() * static_cast<std::size_t>(std::max<Index>(1, repeat)),
      "valid lengths of different batches cannot be joined: ", a.lens.size(), " and ",
      b.lens.size());
  Lens result = fine;
  for (std::size_t i = 0; i < result.lens.size(); ++i)
    result.lens[i] = std::min(result.lens[i],
                              other.lens[i / static_cast<std::size_t>(std::max<Index>(1, repeat))]);
  return std::make_shared<const Lens>(std::move(result));
}

Mask::Table Mask::shown_by(const Var& bias) {
  Table shown{bias.shape(), {}};
  for (const double added : bias.value().values())
    shown.allowed.push_back(!(added <= std::numeric_limits<float>::lowest()));
  return shown;
}

std::shared_ptr<const Mask::Table> Mask::both(const Table& a, const Table& b) {
  const Shape shape = broadcast(a.shape, b.shape);
  Table result{shape, std::vector<std::uint8_t>(static_cast<std::size_t>(shape.count()))};
  for (Index i = 0; i < shape.count(); ++i)
    result.allowed[static_cast<std::size_t>(i)] =
        a.allowed[static_cast<std::size_t>(broadcast_offset(shape, a.shape, i))] &&
        b.allowed[static_cast<std::size_t>(broadcast_offset(shape, b.shape, i))];
  return std::make_shared<const Table>(std::move(result));
}

}  // namespace regard
