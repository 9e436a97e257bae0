#include "regard/ops/gru_sequence.h"

#include "regard/backend/launch.h"
#include "regard/base/check.h"
#include "regard/ops/factor.h"
#include "regard/ops/matmul.h"
#include "regard/ops/sum.h"

namespace regard {
namespace {

void check_shapes(const Var& gx, const Var& weight, const Var& bias, const Var& initial,
                  const std::vector<Index>& starts) {
  check(initial.rank() == 2, "a GRU's initial states have shape ", initial.shape(),
        ", expected [B, F]");
  const Index F = initial.size(1);
  check(gx.rank() == 2 && gx.size(1) == 3 * F && weight.shape() == Shape{F, 3 * F} &&
            bias.shape() == Shape{3 * F},
        "a GRU with states ", initial.shape(), " takes gates [N, ", 3 * F, "], a weight [", F, ", ",
        3 * F, "] and a bias [", 3 * F, "]; got ", gx.shape(), ", ", weight.shape(), " and ",
        bias.shape());
  check(!starts.empty() && starts.back() == gx.size(0), "steps of ",
        starts.empty() ? 0 : starts.back(), " rows do not fit gates ", gx.shape());
  check_steps(starts, initial.size(0));
}

/// All that one layer read and kept.
struct Kept {
  Tensor weight, bias, initial, states, gates;
  std::vector<Index> starts;

  TimeSteps time() const {
    return {starts.data(), static_cast<Index>(starts.size()) - 1, initial.size(0)};
  }
  template <Real T>
  GruLayer<T> layer() const {
    Tensor y = states, inside = gates;
    const Index N = y.size(0), F = initial.size(1);
    return {.hidden = {},
            .bias = bias.span<T>().data(),
            .initial = detail::typed<T>(rows(initial)),
            .states = {y.span<T>().data(), N, F, F},
            .gates = detail::typed<T>(rows(inside))};
  }
};

}  // namespace

void check_steps(const std::vector<Index>& starts, Index sequences) {
  check(!starts.empty() && starts.front() == 0, "the first step begins at row ",
        starts.empty() ? -1 : starts.front(), ", expected 0");
  for (std::size_t t = 0; t + 1 < starts.size(); ++t)
    check(starts[t + 1] - starts[t] <= (t == 0 ? sequences : starts[t] - starts[t - 1]), "step ", t,
          " has more sequences than went on before it");
}

Var gru_sequence(const Var& gx, const Var& weight, const Var& bias, const Var& initial,
                 const std::vector<Index>& starts) {
  check_shapes(gx, weight, bias, initial, starts);
  const Index N = gx.size(0), F = initial.size(1);
  const Kept kept{weight.value(),
                  bias.value(),
                  initial.value(),
                  Tensor::empty({N, F}, gx.dtype()),
                  Tensor::empty({N, 4 * F}, gx.dtype()),
                  starts};
  visit(gx.dtype(), [&]<class T>(T) {
    Tensor panels;
    GruLayer<T> layer = kept.layer<T>();
    layer.hidden = factor<T>(kept.weight, false, panels);
    launch(gx.device(), kernel::gru_sequence, kept.time(), detail::typed<T>(rows(gx.value())),
           layer);
  });

  // Step by step as in gru_cell, from the last one on: what reaches a state is its own gradient and
  // that of the next state, dgh W'. The gradients of the weight and its bias are sums over all
  // steps, made by one product in the end.
  return record(kept.states, {gx, weight, bias, initial}, [=](const Tensor& dy) {
    Tensor dgx = Tensor::empty({N, 3 * F}, dy.dtype()), dgh = Tensor::empty({N, 3 * F}, dy.dtype());
    Tensor before = Tensor::empty({N, F}, dy.dtype()), carry(initial.shape(), dy.dtype());
    visit(dy.dtype(), [&]<class T>(T) {
      Tensor panels;
      const GruLayerGradient<T> out{factor<T>(kept.weight, true, panels),
                                    detail::typed<T>(rows(dgx)), detail::typed<T>(rows(dgh)),
                                    detail::typed<T>(rows(before)), detail::typed<T>(rows(carry))};
      launch(dy.device(), kernel::gru_sequence_backward, kept.time(), kept.layer<T>(),
             detail::typed<T>(rows(dy)), out);
    });
    gx.accumulate(dgx);
    if (weight.needs_grad()) weight.accumulate(matmul(before, dgh, {.a = true}));
    if (bias.needs_grad()) bias.accumulate(sum_to(dgh, bias.shape()));
    initial.accumulate(carry);
  });
}

}  // namespace regard
