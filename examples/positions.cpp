// Positions: waves that tell attention where a token stands, as binary digits tell numbers apart.
#include <algorithm>
#include <vector>

#include "examples/show.h"
#include "regard/ops/matmul.h"
#include "regard/position/position.h"

namespace regard::examples {
namespace {

constexpr Index kLength = 60, kWidth = 32;

/// The code of each position: what the scheme adds to embeddings of zero.   [length, width]
Tensor codes(std::string_view scheme, Index length, Index width) {
  std::vector<Index> positions;
  for (Index i = 0; i < length; ++i) positions.push_back(i);
  const auto position = find_position_scheme(scheme).make({.width = width, .dtype = Dtype::f64});
  return position->add_to(Var(Tensor({length, width}, Dtype::f64)), positions).value();
}

void schemes() {
  std::size_t name = 0, formula = 0;
  for (const PositionScheme* scheme : all_position_schemes()) {
    name = std::max(name, scheme->name.size());
    formula = std::max(formula, scheme->formula.size());
  }
  for (const PositionScheme* scheme : all_position_schemes())
    fmt::print("{:<{}}  {:<{}}  {}\n", scheme->name, name, scheme->formula, formula, scheme->paper);
}

void binary_digits() {
  const Tensor code = codes("sinusoidal", 8, 6);
  fmt::print("\nCounting in binary, and in waves (6 features). Left digits change slowly:\n\n");
  for (Index i = 0; i < 8; ++i) {
    fmt::print("  {}   {:03b}  ", i, i);
    for (Index j = 5; j >= 0; --j) fmt::print(" {:6.3f}", code.at({i, j}));
    fmt::print("\n");
  }
}

void waves(const Tensor& code, const std::string& folder) {
  LinePlot plot{
      .title = "Three features of the code, ever slower", .x_axis = "position", .y_axis = "value"};
  for (const Index j : {4, 8, 12}) {
    Curve curve{.name = fmt::format("feature {}", j)};
    for (Index i = 0; i < kLength; ++i) {
      curve.x.push_back(static_cast<double>(i));
      curve.y.push_back(code.at({i, j}));
    }
    plot.curves.push_back(curve);
  }
  show(plot, folder + "/positions_waves");
}

/// The product of two codes depends on their distance alone, so distance is easy to learn.
void distances(const Tensor& code) {
  const Tensor product = matmul(code, code, {.b = true});  // [length, length]
  fmt::print("\nproducts of the codes 0, 1, 2, 4 and 8 apart, from position 10 and from 40:\n");
  for (const Index from : {10, 40}) {
    for (const Index apart : {0, 1, 2, 4, 8})
      fmt::print("{:9.4f}", product.at({from, from + apart}));
    fmt::print("\n");
  }
}

void positions(const std::string& folder) {
  schemes();
  binary_digits();
  const Tensor code = codes("sinusoidal", kLength, kWidth);
  waves(code, folder);
  distances(code);
  const HeatMap map{.title = "Sinusoidal codes of 60 positions",
                    .panels = {panel("", code)},
                    .row_axis = "position",
                    .col_axis = "feature"};
  save(map, folder + "/positions");
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, regard::examples::positions);
}
