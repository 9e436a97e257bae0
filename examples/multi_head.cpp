// Multi-head attention: one projection cut into heads, each of which looks in its own way.
#include "regard/block/attention/multi_head.h"

#include <algorithm>
#include <cmath>

#include "examples/show.h"
#include "regard/block/parameters.h"
#include "regard/ops/concat.h"
#include "regard/ops/matmul.h"
#include "regard/ops/scale.h"
#include "regard/ops/slice.h"
#include "regard/ops/softmax.h"

namespace regard::examples {
namespace {

constexpr Index kTokens = 6, kWidth = 32, kHeads = 4;

/// What the layer does, spelled out: project once, cut into heads, attend, join, project.
Var by_hand(const MultiHead& layer, const Var& x) {
  const std::vector<Var> q = split(layer.query(x), 1, layer.heads);  // H times [T, d]
  const std::vector<Var> k = split(layer.key(x), 1, layer.heads);
  const std::vector<Var> v = split(layer.value(x), 1, layer.heads);
  std::vector<Var> heads;
  for (std::size_t h = 0; h < q.size(); ++h) {
    const double unit = 1 / std::sqrt(static_cast<double>(q[h].size(1)));
    const Var weights = softmax(scale(matmul(q[h], k[h], {.b = true}), unit));  // [T, T]
    heads.push_back(matmul(weights, v[h]));                                     // [T, d]
  }
  return layer.output(concat(heads, 1));  // [T, H d] -> [T, D]
}

double largest_gap(const Tensor& a, const Tensor& b) {
  const std::vector<double> left = a.values(), right = b.values();
  double gap = 0;
  for (std::size_t i = 0; i < left.size(); ++i) gap = std::max(gap, std::abs(left[i] - right[i]));
  return gap;
}

void one_layer(const std::string& folder) {
  const MultiHead layer({.width = kWidth, .heads = kHeads, .rng = Rng(3)});
  const Var x(Tensor::normal({kTokens, kWidth}, Rng(4)));  // [T, D]
  HeatMap map{.title = "Four heads, not yet trained, on the same six tokens",
              .panels_across = kHeads,
              .row_axis = "query",
              .col_axis = "key",
              .show_values = false};
  const Pass pass{.on_attention = [&](const AttentionCapture& capture) {
    for (Index h = 0; h < capture.heads; ++h)
      map.panels.push_back(panel(fmt::format("head {}", h + 1), capture.weights(0, h)));
  }};
  const Var y = layer({x, x, x}, Layout::self(Segments::equal(1, kTokens)), pass);
  fmt::print("{} heads of width {}: [{}, {}] in, [{}, {}] out.\n", kHeads, kWidth / kHeads, kTokens,
             kWidth, y.size(0), y.size(1));
  const double gap = largest_gap(y.value(), by_hand(layer, x).value());
  check(gap < 1e-6, "the layer and its spelled-out form differ by ", gap);
  fmt::print("Spelled out by hand, head after head: the same to 1e-6.\n");
  show(map, folder + "/multi_head");
}

/// Heads may share keys and values: fewer parameters, and fewer numbers to keep while decoding.
void shared_keys() {
  fmt::print("\nWidth 512, 8 query heads:\n");
  for (const Index kv_heads : {8, 2, 1}) {
    MultiHead layer({.width = 512, .heads = 8, .kv_heads = kv_heads});
    fmt::print("  {} key and value head{} {:9} parameters, {:5} numbers kept for each past token\n",
               kv_heads, kv_heads == 1 ? ": " : "s:", parameter_count(layer), 2 * kv_heads * 64);
  }
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [](const std::string& folder) {
    regard::examples::one_layer(folder);
    regard::examples::shared_keys();
  });
}
