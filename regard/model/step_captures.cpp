#include "regard/model/step_captures.h"

#include <algorithm>

#include "regard/ops/concat.h"
#include "regard/ops/slice.h"

namespace regard {

Pass StepCaptures::next_pass() {
  Pass next = pass_;
  next.rng = pass_.rng.fork(steps_++);
  if (pass_.on_attention)
    next.on_attention = [seen = seen_](const AttentionCapture& capture) {
      seen->push_back(capture);
    };
  return next;
}

void StepCaptures::show(const TimeOrder& order, const Segments& sources) const {
  if (!pass_.on_attention || seen_->empty()) return;
  using Reader = std::function<Tensor(Index b, Index h)> AttentionCapture::*;
  const auto stitched = [order, sources, seen = seen_](Reader reader) {
    return [=](Index b, Index h) {
      const NoGrad quiet;
      const auto place = std::ranges::find(order.sequences, b) - order.sequences.begin();
      std::vector<Var> rows{
          Var(Tensor({0, sources.length(b)}, ((*seen)[0].*reader)(0, h).dtype()))};
      for (const AttentionCapture& capture : *seen) {
        if (place >= capture.batch) break;  // the sequence is over
        rows.push_back(slice(Var((capture.*reader)(place, h)), 1, 0, sources.length(b)));
      }
      return concat(rows, 0).value();  // [T, S]
    };
  };
  // The values are the source's, the same at every step.
  const auto values = [order, sources, seen = seen_](Index b, Index h) {
    const auto place = std::ranges::find(order.sequences, b) - order.sequences.begin();
    return slice((*seen)[0].values(place, h), 0, 0, sources.length(b));
  };
  pass_.on_attention({.where = pass_.path,
                      .batch = static_cast<Index>(order.sequences.size()),
                      .heads = (*seen_)[0].heads,
                      .scores = stitched(&AttentionCapture::scores),
                      .weights = stitched(&AttentionCapture::weights),
                      .values = values});
}

}  // namespace regard
