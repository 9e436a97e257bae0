// Self-attention by hand: three lines of arithmetic, and nothing to learn.
#include "examples/show.h"
#include "regard/ops/matmul.h"
#include "regard/ops/scale.h"
#include "regard/ops/softmax.h"

namespace regard::examples {
namespace {

/// All three matrices of one self-attention, so that each can be looked at.
struct Attended {
  Tensor scores, weights, output;
};

/// softmax(X X' scale) X: every row of X asks all rows, and gets a mixture of them.   x [T, d]
Attended self_attention(const Var& x, double unit) {
  const Var scores = scale(matmul(x, x, {.b = true}), unit);  // [T, T]
  const Var weights = softmax(scores);                        // [T, T], rows sum to 1
  const Var output = matmul(weights, x);                      // [T, d]
  return {scores.value(), weights.value(), output.value()};
}

void three_vectors() {
  const Var x(Tensor::of({3, 3}, {1, 3, 2, 1, 1, 3, 1, 2, 1}, Dtype::f64));
  const Attended plain = self_attention(x, 1);
  print("X, three tokens with three features:", x.value(), 0);
  print("\nscores X X': how well each token (row) matches each token (column)", plain.scores, 0);
  print("\nweights softmax(X X'): the same as shares, each row sums to 1", plain.weights, 6);
  print("\noutput softmax(X X') X: each token's mixture", plain.output, 6);
  print("\nweights with scores / sqrt(3): less sure of themselves",
        self_attention(x, 1 / std::sqrt(3.0)).weights, 6);
}

void five_tokens(const std::string& folder) {
  const Var x(Tensor::of({5, 4}, {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, .5, .5, 0},
                         Dtype::f64));
  const Attended five = self_attention(x, 1 / std::sqrt(4.0));
  print("\nFive tokens with four features, scores / sqrt(4):", five.scores, 2);

  HeatMap map{.title = "Self-attention of five tokens",
              .panels = {panel("", five.weights)},
              .row_axis = "query",
              .col_axis = "key"};
  show(map, folder + "/self_attention");
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [](const std::string& folder) {
    regard::examples::three_vectors();
    regard::examples::five_tokens(folder);
  });
}
