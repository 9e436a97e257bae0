#include "regard/ops/cross_entropy.h"

#include <algorithm>
#include <vector>

#include "regard/backend/cross_entropy.h"
#include "regard/backend/launch.h"
#include "regard/base/check.h"

namespace regard {
namespace {

/// The loss of each row, and what the gradient needs.
struct RowLosses {
  std::vector<std::int32_t> targets;  // -1 if a row is ignored
  double smoothing;
  Tensor loss, stats;  // [N], [N, 3]

  CrossEntropyLabels labels() const { return {targets, smoothing}; }
};

RowLosses row_losses(const Tensor& logits, std::span<const std::int32_t> targets,
                     const CrossEntropySpec& spec) {
  check(logits.rank() == 2, "logits have shape ", logits.shape(), ", expected [N, V]");
  const Index N = logits.size(0), V = logits.size(1);
  check(static_cast<Index>(targets.size()) == N, "expected a target for each of ", N,
        " rows of logits, got ", targets.size());
  check(spec.label_smoothing >= 0 && spec.label_smoothing < 1, "label smoothing is ",
        spec.label_smoothing, ", expected at least 0 and less than 1");
  RowLosses losses{{targets.begin(), targets.end()},
                   spec.label_smoothing,
                   Tensor::empty({N}, logits.dtype()),
                   Tensor::empty({N, 3}, logits.dtype())};
  for (Index n = 0; n < N; ++n) {
    std::int32_t& target = losses.targets[static_cast<std::size_t>(n)];
    check(target == spec.ignore || (target >= 0 && target < V), "target ", target, " of row ", n,
          " is outside the vocabulary of ", V, "; expected 0 to ", V - 1, ", or ", spec.ignore,
          " to ignore the row");
    if (target == spec.ignore) target = -1;
  }
  if (V > 0)
    launch(logits.device(), kernel::cross_entropy, losses.labels(), rows(logits),
           rows(losses.stats), rows(losses.loss));
  else
    losses.loss.fill(0);
  return losses;
}

Tensor logits_gradient(const Tensor& logits, const RowLosses& losses, const Tensor& dloss) {
  Tensor dx = Tensor::like(logits);
  visit(logits.dtype(), [&]<class T>(T) {
    const CrossEntropySaved<T> saved{detail::typed<T>(rows(logits)),
                                     detail::typed<T>(rows(losses.stats)),
                                     detail::typed<T>(rows(dloss))};
    launch(logits.device(), kernel::cross_entropy_backward, losses.labels(), saved,
           detail::typed<T>(rows(dx)));
  });
  return dx;
}

/// In f64 and in order: a long sum of small losses must not stagnate.
double total(const Tensor& loss) {
  double sum = 0;
  for (const double each : loss.values()) sum += each;
  return sum;
}

}  // namespace

Var cross_entropy_rows(const Var& logits, std::span<const std::int32_t> targets,
                       const CrossEntropySpec& spec) {
  const RowLosses losses = row_losses(logits.value(), targets, spec);
  return record(losses.loss, {logits}, [logits, losses](const Tensor& dy) {
    logits.accumulate(logits_gradient(logits.value(), losses, dy));
  });
}

Var cross_entropy(const Var& logits, std::span<const std::int32_t> targets,
                  const CrossEntropySpec& spec) {
  const RowLosses losses = row_losses(logits.value(), targets, spec);
  const auto counted =
      std::ranges::count_if(losses.targets, [](auto target) { return target >= 0; });
  const double share = counted ? 1.0 / static_cast<double>(counted) : 0;
  Tensor y = Tensor::full({}, counted ? total(losses.loss) * share : 0, logits.dtype());
  return record(y, {logits}, [logits, losses, share](const Tensor& dy) {
    const Tensor dloss = Tensor::full(losses.loss.shape(), dy.item() * share, dy.dtype());
    logits.accumulate(logits_gradient(logits.value(), losses, dloss));
  });
}

}  // namespace regard
