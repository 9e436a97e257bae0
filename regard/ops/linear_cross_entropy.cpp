#include "regard/ops/linear_cross_entropy.h"

#include <algorithm>
#include <concepts>

#include "regard/backend/cross_entropy.h"
#include "regard/backend/launch.h"
#include "regard/backend/matmul.h"
#include "regard/base/check.h"
#include "regard/base/elementary.h"
#include "regard/ops/add.h"
#include "regard/ops/broadcast.h"
#include "regard/ops/matmul.h"
#include "regard/ops/scale.h"
#include "regard/ops/sum.h"

namespace regard {
namespace {

/// Rows whose logits exist at once: enough for a product at full speed, few enough for the cache.
/// No result depends on it.
Index rows_at_once(Index vocabulary) {
  return std::clamp((Index{1} << 22) / std::max<Index>(vocabulary, 1), Index{256}, Index{512});
}

void check_shapes(const TokenRows& rows, std::span<const std::int32_t> targets,
                  const CrossEntropySpec& spec) {
  const auto& [x, table, bias] = rows;
  check(x.rank() == 2 && table.rank() == 2 && x.size(1) == table.size(1), "rows of shape ",
        x.shape(), " do not fit a table of shape ", table.shape(), "; expected [N, D] and [V, D]");
  check(!bias || bias.shape() == Shape{table.size(0)}, "the bias has shape ",
        bias ? bias.shape() : Shape{}, ", expected [", table.size(0), "]");
  check(static_cast<Index>(targets.size()) == x.size(0), "expected a target for each of ",
        x.size(0), " rows, got ", targets.size());
  check(spec.label_smoothing >= 0 && spec.label_smoothing < 1, "label smoothing is ",
        spec.label_smoothing, ", expected at least 0 and less than 1");
  const Index V = table.size(0);
  for (const std::int32_t target : targets)
    check(target == spec.ignore || (target >= 0 && target < V), "target ", target,
          " is outside the vocabulary of ", V, "; expected 0 to ", V - 1, ", or ", spec.ignore,
          " to ignore the row");
}

/// -log p(target) of one row, from its logits and their (maximum, sum of e^(x - maximum)).
template <Real T>
double surprise(std::span<const T> logits, std::span<const T> stats, std::int32_t target) {
  if (target < 0) return 0;
  const auto logit = static_cast<double>(logits[static_cast<std::size_t>(target)]);
  const auto peak = static_cast<double>(stats[0]);
  return elementary::log(static_cast<double>(stats[1])) - (logit == peak ? 0 : logit - peak);
}

/// LossGradients as they grow, chunk by chunk; empty if nobody needs them.
struct LossGradients {
  Tensor x, table, bias;
};

/// One run over the rows, chunk by chunk.
template <Real T>
class Run {
 public:
  Run(const TokenRows& rows, std::vector<std::int32_t> targets, double smoothing, double scale)
      : x_(rows.x.value()),
        table_(rows.table.value()),
        bias_(rows.bias ? rows.bias.value().span<T>().data() : nullptr),
        targets_(std::move(targets)),
        smoothing_(smoothing),
        scale_(scale),
        N_(x_.size(0)),
        D_(x_.size(1)),
        V_(table_.size(0)) {
    if (!recording()) return;
    if (rows.x.needs_grad()) gradients.x = Tensor::like(x_);
    if (rows.table.needs_grad()) gradients.table = Tensor(table_.shape(), table_.dtype());
    if (rows.bias && rows.bias.needs_grad()) gradients.bias = Tensor({V_}, x_.dtype());
  }

  void operator()() {
    const Index at_once = rows_at_once(V_), most = std::min(at_once, N_);
    if constexpr (std::same_as<T, f32>)
      if (N_ > at_once) pack();
    Tensor logits = Tensor::empty({most, V_}, x_.dtype());
    Tensor stats = Tensor::empty({most, 3}, x_.dtype()), loss = Tensor::empty({most}, x_.dtype());
    for (Index begin = 0; begin < N_; begin += at_once) {
      const Index count = std::min(at_once, N_ - begin);
      chunk(begin, {logits.span<T>().data(), count, V_}, {stats.span<T>().data(), count, 3},
            {loss.span<T>().data(), 1, count});
    }
  }

  LossGradients gradients;
  double total = 0;
  std::vector<double> surprisal;

 private:
  /// A table that serves many chunks is arranged once.
  void pack() {
    const Matrix<const f32> table{table_.template span<f32>().data(), V_, D_, D_};
    by_token_ = Tensor::empty({panels_size(D_, V_)});
    launch(x_.device(), kernel::pack_panels, table, /*transposed=*/true,
           by_token_.span<f32>().data());
    if (!gradients.x.count()) return;
    by_column_ = Tensor::empty({panels_size(V_, D_)});
    launch(x_.device(), kernel::pack_panels, table, /*transposed=*/false,
           by_column_.span<f32>().data());
  }

  /// The panels of a packed table, if it is packed.
  static const T* panels(const Tensor& packed) {
    return packed.count() ? packed.span<T>().data() : nullptr;
  }

  void chunk(Index begin, Rows<T> logits, Rows<T> stats, Rows<T> loss) {
    const Index count = logits.count;
    const T* x = x_.template span<T>().data() + begin * D_;
    const T* table = table_.template span<T>().data();
    const Device device = x_.device();
    launch(device, kernel::matmul,
           Product<T>{.a = {x, count, D_, D_},
                      .b = {table, V_, D_, D_},
                      .c = {logits.data, count, V_, V_},
                      .transpose_b = true,
                      .bias = bias_,
                      .panels = panels(by_token_)});
    const CrossEntropyLabels labels{std::span(targets_).subspan(static_cast<std::size_t>(begin),
                                                                static_cast<std::size_t>(count)),
                                    smoothing_};
    const Rows<const T> read = logits.template cast<const T>();
    launch(device, kernel::cross_entropy, labels, read, stats, loss);
    for (Index r = 0; r < count; ++r) {
      total += static_cast<double>(loss.data[r]);
      surprisal.push_back(
          surprise<T>(logits[r], stats[r], labels.targets[static_cast<std::size_t>(r)]));
    }
    if (gradients.x.count() + gradients.table.count() + gradients.bias.count() == 0) return;

    std::fill_n(loss.data, count, static_cast<T>(scale_));  // now dL/dloss
    const CrossEntropySaved<T> saved{read, stats.template cast<const T>(),
                                     loss.template cast<const T>()};
    launch(device, kernel::cross_entropy_backward, labels, saved, logits);  // in place
    // dx = dlogits table,   dtable += dlogits' x,   dbias += column sums of dlogits
    if (gradients.x.count())
      launch(device, kernel::matmul,
             Product<T>{.a = {logits.data, count, V_, V_},
                        .b = {table, V_, D_, D_},
                        .c = {gradients.x.template span<T>().data() + begin * D_, count, D_, D_},
                        .panels = panels(by_column_)});
    if (gradients.table.count())
      launch(device, kernel::matmul,
             Product<T>{.a = {logits.data, count, V_, V_},
                        .b = {x, count, D_, D_},
                        .c = {gradients.table.template span<T>().data(), V_, D_, D_},
                        .transpose_a = true,
                        .accumulate = true});
    if (gradients.bias.count()) {
      const std::span<T> sums = gradients.bias.template span<T>();
      for (Index r = 0; r < count; ++r)
        for (Index j = 0; j < V_; ++j) sums[static_cast<std::size_t>(j)] += logits[r][j];
    }
  }

  const Tensor x_, table_;
  Tensor by_token_, by_column_;  // the table in panels, as logits and as their gradients read it
  const T* bias_;
  std::vector<std::int32_t> targets_;
  double smoothing_, scale_;
  Index N_, D_, V_;
};

/// Targets with the ignored ones marked as kernels expect it.
std::vector<std::int32_t> marked(std::span<const std::int32_t> targets, std::int32_t ignore) {
  std::vector<std::int32_t> result(targets.begin(), targets.end());
  std::ranges::replace(result, ignore, -1);
  return result;
}

}  // namespace

TokenLoss linear_cross_entropy(const TokenRows& rows, std::span<const std::int32_t> targets,
                               const CrossEntropySpec& spec, double scale) {
  check_shapes(rows, targets, spec);
  TokenLoss result;
  visit(rows.x.dtype(), [&]<class T>(T) {
    Run<T> run(rows, marked(targets, spec.ignore), spec.label_smoothing, scale);
    run();
    result.surprisal = std::move(run.surprisal);
    std::vector<Var> inputs{rows.x, rows.table};
    if (rows.bias) inputs.push_back(rows.bias);
    result.loss =
        record(Tensor::full({}, run.total * scale, rows.x.dtype()), inputs,
               [rows, gradients = run.gradients](const Tensor& dy) {
                 const auto hand = [&](const Var& to, const Tensor& gradient) {
                   if (to && to.needs_grad())
                     to.accumulate(dy.item() == 1 ? gradient : scaled(gradient, dy.item()));
                 };
                 hand(rows.x, gradients.x);
                 hand(rows.table, gradients.table);
                 hand(rows.bias, gradients.bias);
               });
  });
  return result;
}

TokenLoss composed_linear_cross_entropy(const TokenRows& rows,
                                        std::span<const std::int32_t> targets,
                                        const CrossEntropySpec& spec, double scale) {
  check_shapes(rows, targets, spec);
  Var logits = matmul(rows.x, rows.table, {.b = true});
  if (rows.bias) logits = add(logits, rows.bias);
  const std::vector<double> plain =
      cross_entropy_rows(Var(logits.value()), targets, {.ignore = spec.ignore}).value().values();
  return {regard::scale(sum(cross_entropy_rows(logits, targets, spec)), scale), plain};
}

}  // namespace regard
