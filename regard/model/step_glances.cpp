#include "regard/model/step_glances.h"

#include <algorithm>

#include "regard/ops/concat.h"
#include "regard/ops/slice.h"

namespace regard {

Pass StepGlances::next_pass() {
  Pass next = pass_;
  next.rng = pass_.rng.fork(steps_++);
  if (pass_.tap) next.tap = [seen = seen_](const Glance& glance) { seen->push_back(glance); };
  return next;
}

void StepGlances::show(const TimeOrder& order, const Segments& sources) const {
  if (!pass_.tap || seen_->empty()) return;
  using Reader = std::function<Tensor(Index b, Index h)> Glance::*;
  const auto stitched = [order, sources, seen = seen_](Reader reader) {
    return [=](Index b, Index h) {
      const NoGrad quiet;
      const auto place = std::ranges::find(order.sequences, b) - order.sequences.begin();
      std::vector<Var> rows{
          Var(Tensor({0, sources.length(b)}, ((*seen)[0].*reader)(0, h).dtype()))};
      for (const Glance& glance : *seen) {
        if (place >= glance.batch) break;  // the sequence is over
        rows.push_back(slice(Var((glance.*reader)(place, h)), 1, 0, sources.length(b)));
      }
      return concat(rows, 0).value();  // [T, S]
    };
  };
  // The values are the source's, the same at every step.
  const auto values = [order, sources, seen = seen_](Index b, Index h) {
    const auto place = std::ranges::find(order.sequences, b) - order.sequences.begin();
    return slice((*seen)[0].values(place, h), 0, 0, sources.length(b));
  };
  pass_.tap({.where = pass_.path,
             .batch = static_cast<Index>(order.sequences.size()),
             .heads = (*seen_)[0].heads,
             .scores = stitched(&Glance::scores),
             .weights = stitched(&Glance::weights),
             .values = values});
}

}  // namespace regard
