// Masks: which keys a query may see. A mask is a value; two masks join with &.
#include <limits>

#include "examples/show.h"
#include "regard/ops/softmax.h"

namespace regard::examples {
namespace {

/// Weights of equal scores, so that the picture shows the mask and nothing else.
Panel weights_under(std::string title, const Mask& mask) {
  const Tensor weights = masked_softmax(Var(Tensor({1, 5, 5})), mask).value();  // [1, T, S]
  return panel(std::move(title), weights, mask);
}

/// Row b of the batch has lens[b] valid keys; or, with a second number, each query has its own.
void valid_lengths() {
  const Var scores(Tensor::uniform({2, 2, 4}, Rng(1)));  // [B, T, S]
  const Tensor by_row = masked_softmax(scores, Mask::valid({2, 3})).value();
  const Tensor by_query = masked_softmax(scores, Mask::valid({1, 3, 2, 4}, /*queries=*/2)).value();
  print("Hidden weights are exactly 0. Two batch rows of two queries, valid lengths 2 and 3:",
        by_row.reshaped({4, 4}));
  print("\nThe same with a length for each query, 1, 3 and 2, 4:", by_query.reshaped({4, 4}));
}

/// What is hidden is skipped, not multiplied by zero: even NaN behind a mask changes nothing.
void nothing_leaks() {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Var scores(Tensor::of({1, 2, 3}, {1, 2, nan, 1, 2, nan}));
  print("\nScores 1, 2, NaN, twice. The first query sees two keys, the second none:",
        masked_softmax(scores, Mask::valid({2, 0}, /*queries=*/2)).value().reshaped({2, 3}));
}

void pictures(const std::string& folder) {
  const HeatMap map{
      .title = "Masks over equal scores",
      .panels = {weights_under("full", Mask::full()), weights_under("causal", Mask::causal()),
                 weights_under("window(1, 1)", Mask::window(1, 1)),
                 weights_under("valid({3})", Mask::valid({3})),
                 weights_under("causal&valid", Mask::causal() & Mask::valid({3})),
                 weights_under("window&valid", Mask::window(1, 1) & Mask::valid({3}))},
      .panels_across = 3,
      .row_axis = "query",
      .col_axis = "key"};
  show(map, folder + "/masks");
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [](const std::string& folder) {
    regard::examples::valid_lengths();
    regard::examples::nothing_leaks();
    regard::examples::pictures(folder);
  });
}
