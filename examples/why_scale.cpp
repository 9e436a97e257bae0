// Why scores are divided by sqrt(d): without it, wide vectors saturate softmax and stop learning.
#include <algorithm>
#include <cmath>

#include "examples/show.h"
#include "regard/ops/matmul.h"
#include "regard/ops/scale.h"
#include "regard/ops/softmax.h"

namespace regard::examples {
namespace {

/// What softmax makes of random queries and keys of one width.
struct Sharpness {
  double spread = 0;   ///< standard deviation of the scores
  double largest = 0;  ///< mean over queries of the largest weight: 1 is a hard choice
  double slope = 0;    ///< mean of p (1 - p), softmax's own derivative: 0 is no gradient
};

/// Queries [T, d] and keys [S, d] of unit variance, scores times `unit`.
Sharpness sharpness(Index d, double unit) {
  const Index T = 256, S = 16;
  const Var q(Tensor::normal({T, d}, Rng(1).fork("query"), Dtype::f64));
  const Var k(Tensor::normal({S, d}, Rng(1).fork("key"), Dtype::f64));
  const Var scores = scale(matmul(q, k, {.b = true}), unit);  // [T, S]
  const std::vector<double> weights = softmax(scores).value().values();

  Sharpness found;
  for (const double score : scores.value().values()) found.spread += score * score;
  for (const double p : weights) found.slope += p * (1 - p);
  for (auto row = weights.begin(); row != weights.end(); row += S)
    found.largest += *std::max_element(row, row + S);
  found.spread = std::sqrt(found.spread / static_cast<double>(T * S));
  found.slope /= static_cast<double>(T * S);
  found.largest /= static_cast<double>(T);
  return found;
}

void why_scale(const std::string& folder) {
  Curve plain{.name = "q k'"}, scaled{.name = "q k' / sqrt(d)"};
  fmt::print("Random queries and keys, 16 keys. Scores q k' spread like sqrt(d):\n\n");
  fmt::print("          ---------- q k' ----------    ------ q k' / sqrt(d) -----\n");
  fmt::print("     d    spread  largest p   p(1-p)    spread  largest p   p(1-p)\n");
  for (Index d = 1; d <= 4096; d *= 4) {
    const Sharpness raw = sharpness(d, 1);
    const Sharpness kept = sharpness(d, 1 / std::sqrt(static_cast<double>(d)));
    fmt::print("{:6} {:9.2f} {:10.4f} {:8.5f} {:9.2f} {:10.4f} {:8.5f}\n", d, raw.spread,
               raw.largest, raw.slope, kept.spread, kept.largest, kept.slope);
    plain.x.push_back(static_cast<double>(d));
    plain.y.push_back(raw.slope);
    scaled.x.push_back(static_cast<double>(d));
    scaled.y.push_back(kept.slope);
  }
  const LinePlot plot{.title = "What is left of softmax's gradient",
                      .x_axis = "width d",
                      .y_axis = "mean of p (1 - p)",
                      .curves = {plain, scaled},
                      .log_x = true,
                      .log_y = true};
  show(plot, folder + "/why_scale");
  fmt::print(
      "\nUnscaled, one key takes all the weight and the gradient p (1 - p) dies out.\n"
      "Divided by sqrt(d), the scores keep their spread and the gradient lives at any width.\n");
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, regard::examples::why_scale);
}
