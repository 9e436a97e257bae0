#include "regard/ops/mix.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "regard/backend/keep_rows.h"
#include "regard/backend/launch.h"
#include "regard/backend/mix.h"
#include "regard/base/check.h"
#include "regard/ops/matmul.h"

namespace regard {
namespace {

std::vector<std::uint8_t> non_finite_rows(const Tensor& values) {
  std::vector<std::uint8_t> flags(
      static_cast<std::size_t>(values.size(-1) == 0 ? 0 : values.count() / values.size(-1)));
  launch(values.device(), kernel::flag_non_finite, rows(values), flags.data());
  return flags;
}

Tensor without(const Tensor& values, std::vector<std::uint8_t> flags) {
  for (std::uint8_t& flag : flags) flag = !flag;
  Tensor clean = Tensor::like(values);
  launch(values.device(), kernel::keep_rows, std::as_const(flags).data(), rows(values),
         rows(clean));
  return clean;
}

template <Real T>
Mixture<T> mixture(const Tensor& weights, const Tensor& values,
                   const std::vector<std::uint8_t>& flags) {
  return {detail::typed<T>(rows(weights)), detail::typed<T>(rows(values)), flags.data(),
          weights.size(-2)};
}

void check_shapes(const Var& weights, const Var& values) {
  check(weights.rank() >= 2 && weights.rank() == values.rank() &&
            weights.size(-1) == values.size(-2) &&
            weights.shape().front(weights.rank() - 2) == values.shape().front(values.rank() - 2),
        "weights of shape ", weights.shape(), " cannot mix values of shape ", values.shape(),
        ": expected [..., T, S] and [..., S, d] with equal leading axes");
}

/// Like the product, with hidden values left out.
Var careful_mix(const Var& weights, const Var& values, const std::vector<std::uint8_t>& flags) {
  const Tensor clean = without(values.value(), flags);
  Tensor y = matmul(weights.value(), clean);
  visit(y.dtype(), [&]<class T>(T) {
    launch(y.device(), kernel::mix_flagged, mixture<T>(weights.value(), values.value(), flags),
           detail::typed<T>(rows(y)));
  });
  return record(y, {weights, values}, [=](const Tensor& dy) {
    if (weights.needs_grad()) {
      Tensor dw = matmul(dy, clean, {.b = true});
      visit(dw.dtype(), [&]<class T>(T) {
        launch(dw.device(), kernel::mix_flagged_backward,
               mixture<T>(weights.value(), values.value(), flags), detail::typed<T>(rows(dy)),
               detail::typed<T>(rows(dw)));
      });
      weights.accumulate(dw);
    }
    if (values.needs_grad()) values.accumulate(matmul(weights.value(), dy, {.a = true}));
  });
}

}  // namespace

Var mix(const Var& weights, const Var& values) {
  check_shapes(weights, values);
  const std::vector<std::uint8_t> flags = non_finite_rows(values.value());
  if (std::ranges::find(flags, 1) == flags.end()) return matmul(weights, values);
  return careful_mix(weights, values, flags);
}

}  // namespace regard
