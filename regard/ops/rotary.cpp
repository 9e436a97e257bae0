#include "regard/ops/rotary.h"

#include "regard/backend/launch.h"
#include "regard/backend/rotary.h"
#include "regard/base/check.h"

namespace regard {
namespace {

void check_fits(const HeadColumns& x, const RotaryAngles& angles) {
  check(x.rows.rank() >= 1, "rotary positions turn rows, got a scalar");
  const Index width = x.rows.size(-1);
  check(x.width > 0 && x.width % 2 == 0,
        "rotary positions turn pairs of columns: a head's width must be even, got ", x.width);
  check(x.start >= 0 && x.heads >= 0 && x.start + x.heads * x.width <= width, x.heads,
        " heads of width ", x.width, " from column ", x.start, " do not fit rows of ", width);
  check(angles.table.rank() == 2 && angles.table.size(1) == x.width,
        "a table of angles for heads of ", x.width, " columns is [P, ", x.width, "], got ",
        angles.table.shape());
  const Index count = width == 0 ? 0 : x.rows.value().count() / width;
  check(static_cast<Index>(angles.row.size()) == count, "expected one turn a row, ", count,
        ", got ", angles.row.size());
  for (const Index row : angles.row)
    check(row >= 0 && row < angles.table.size(0), "row ", row, " of a table of ",
          angles.table.size(0), " angles does not exist");
}

}  // namespace

Var rotary(const HeadColumns& x, const RotaryAngles& angles) {
  check_fits(x, angles);
  const auto turned = [columns = RotaryTurn{.start = x.start, .heads = x.heads, .width = x.width},
                       angles](const Tensor& from, bool back) {
    RotaryTurn turn = columns;
    turn.angles = angles.row.data();
    turn.back = back;
    Tensor to = Tensor::like(from);
    launch(from.device(), kernel::rotary, turn, rows(angles.table), rows(from), rows(to));
    return to;
  };
  // A turn is orthogonal: its gradient is turned back by the same angle.
  return record(turned(x.rows.value(), false), {x.rows},
                [rows = x.rows, turned](const Tensor& dy) { rows.accumulate(turned(dy, true)); });
}

}  // namespace regard
