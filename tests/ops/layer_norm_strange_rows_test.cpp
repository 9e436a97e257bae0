#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "regard/ops/add_norm.h"
#include "regard/ops/layer_norm.h"
#include "tests/support/gradcheck.h"

namespace regard {
namespace {

/// A row that strains the moments, and what it is.
struct StrangeRow {
  std::string name;
  Tensor x;
  bool constant = false;  ///< its norm is the shift, exactly
};

/// Width elements that start with these and go on with the last.
Tensor row_of(Index width, Dtype dtype, const std::vector<double>& start) {
  std::vector<double> all(static_cast<std::size_t>(width), start.back());
  for (std::size_t i = 0; i < all.size() && i < start.size(); ++i) all[i] = start[i];
  return Tensor::of({1, width}, all, dtype);
}

std::vector<StrangeRow> strange_rows(Index width, Dtype dtype) {
  const bool narrow = dtype == Dtype::f32;
  const double denormal = narrow ? 1e-42 : 1e-315;
  const double smallest =
      narrow ? std::numeric_limits<float>::denorm_min() : std::numeric_limits<double>::denorm_min();
  std::vector<StrangeRow> rows;
  for (const double constant : {0.0, -0.0, 1.0, 0.1, 1e30, -1e30, denormal, smallest})
    rows.push_back(
        {"constant " + std::to_string(constant), row_of(width, dtype, {constant}), true});
  rows.push_back({"one of 1e30", row_of(width, dtype, {1e30, 0})});
  rows.push_back({"1e30 both ways", row_of(width, dtype, {1e30, -1e30, 0})});
  rows.push_back({"1e30 and denormals", row_of(width, dtype, {1e30, denormal})});
  rows.push_back({"one denormal", row_of(width, dtype, {denormal, 0})});
  for (const double size : {denormal, 1e-30, 1e30})
    rows.push_back({"random, of " + std::to_string(size),
                    Tensor::uniform({1, width}, Rng(2), dtype, -size, size)});
  return rows;
}

void expect_finite(const Tensor& tensor, const std::string& what) {
  for (const double v : tensor.values()) ASSERT_TRUE(std::isfinite(v)) << what << ": " << v;
}

/// Runs f(row, what) over every strange row, width and type.
void for_each_strange_row(
    const std::function<void(const StrangeRow& row, const std::string& what)>& f) {
  for (const Dtype dtype : {Dtype::f32, Dtype::f64})
    for (const Index width : {1, 2, 7, 16, 67, 512})
      for (const StrangeRow& row : strange_rows(width, dtype))
        f(row, row.name + ", width " + std::to_string(width) + ", " + std::string(name(dtype)));
}

// covers NU9
TEST(LayerNorm, OfAStrangeRowIsFiniteAndSoIsItsGradient) {
  for_each_strange_row([](const StrangeRow& row, const std::string& what) {
    const Index width = row.x.size(-1);
    const Dtype dtype = row.x.dtype();
    const Var x(row.x, true), gain(Tensor::full({width}, 2, dtype), true);
    const Var shift(Tensor::full({width}, 3, dtype), true);
    const Var y = layer_norm(x, gain, shift);
    backward(y, Tensor::normal({1, width}, Rng(1), dtype));
    for (const Tensor& result : {y.value(), x.grad(), gain.grad(), shift.grad()})
      expect_finite(result, what);
    // No element of a normed row is further than sqrt(width) from 0.
    const double furthest = 2 * std::sqrt(static_cast<double>(width)) * (1 + 1e-4);
    for (const double v : y.value().values())
      ASSERT_LE(std::abs(v - 3), row.constant ? 0 : furthest) << what;
  });
}

// covers NU9
TEST(AddNorm, OfAStrangeSumIsFiniteAndSoIsItsGradient) {
  for_each_strange_row([](const StrangeRow& row, const std::string& what) {
    const Index width = row.x.size(-1);
    const Dtype dtype = row.x.dtype();
    for (const bool in_branch : {false, true}) {
      const Tensor zero({1, width}, dtype);
      const Var x(in_branch ? zero : row.x, true), branch(in_branch ? row.x : zero, true);
      const Var gain(Tensor::full({width}, 2, dtype), true);
      const Var shift(Tensor::full({width}, 3, dtype), true);
      const Var y = add_norm(x, branch, {.gain = gain, .shift = shift});
      backward(y, Tensor::normal({1, width}, Rng(1), dtype));
      for (const Tensor& result : {y.value(), x.grad(), branch.grad(), gain.grad(), shift.grad()})
        expect_finite(result, what);
      if (!row.constant) continue;
      for (const double v : y.value().values()) ASSERT_EQ(v, 3) << what;
    }
  });
}

}  // namespace
}  // namespace regard
