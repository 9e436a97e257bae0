#include "regard/ops/rotary.h"

#include "regard/backend/launch.h"
#include "regard/backend/rotary.h"
#include "regard/base/check.h"

namespace regard {
namespace {

void check_fits(const HeadColumns& x, const Turns& turns) {
  check(x.rows.rank() >= 1, "rotary positions turn rows, got a scalar");
  const Index width = x.rows.size(-1);
  check(x.width > 0 && x.width % 2 == 0,
        "rotary positions turn pairs of columns: a head's width must be even, got ", x.width);
  check(x.start >= 0 && x.heads >= 0 && x.start + x.heads * x.width <= width, x.heads,
        " heads of width ", x.width, " from column ", x.start, " do not fit rows of ", width);
  check(turns.table.rank() == 2 && turns.table.size(1) == x.width, "a table of turns for heads of ",
        x.width, " columns is [P, ", x.width, "], got ", turns.table.shape());
  const Index count = width == 0 ? 0 : x.rows.value().count() / width;
  check(static_cast<Index>(turns.row.size()) == count, "expected one turn a row, ", count, ", got ",
        turns.row.size());
  for (const Index row : turns.row)
    check(row >= 0 && row < turns.table.size(0), "row ", row, " of a table of ",
          turns.table.size(0), " turns does not exist");
}

}  // namespace

Var rotary(const HeadColumns& x, const Turns& turns) {
  check_fits(x, turns);
  const auto turned = [columns = RotaryTurn{.start = x.start, .heads = x.heads, .width = x.width},
                       turns](const Tensor& from, bool back) {
    RotaryTurn turn = columns;
    turn.angles = turns.row.data();
    turn.back = back;
    Tensor to = Tensor::like(from);
    launch(from.device(), kernel::rotary, turn, rows(turns.table), rows(from), rows(to));
    return to;
  };
  // A turn is orthogonal: its gradient is turned back by the same angle.
  return record(turned(x.rows.value(), false), {x.rows},
                [rows = x.rows, turned](const Tensor& dy) { rows.accumulate(turned(dy, true)); });
}

}  // namespace regard
