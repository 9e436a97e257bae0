// Scoring functions: what makes a query and a key match. Every mechanism of this build, side by
// side.
#include "examples/show.h"
#include "regard/attention/mechanism.h"

namespace regard::examples {
namespace {

/// What one call of attention gives, with the weights it used.
struct Seen {
  Tensor weights;  ///< [T, S], of the first batch row
  Tensor output;   ///< [B, 1, T, dv]
};

/// Attends with the mechanism of that name; its parameters, where it has any, are random.
Seen attend(std::string_view name, const QueryKeyValue& in) {
  const auto attention = make_attention(
      find_mechanism(name),
      {.query_width = in.q.size(3), .key_width = in.k.size(3), .hidden = 8, .rng = Rng(7)});
  Seen seen;
  const Pass pass{.on_attention = [&](const AttentionCapture& capture) {
    seen.weights = capture.weights(0, 0);
  }};
  seen.output = (*attention)(in, pass).value();
  return seen;
}

/// Ten equal keys: whatever scores them finds no difference, so the valid values are averaged.
void equal_keys() {
  const Var keys(Tensor::full({2, 1, 10, 2}, 1));  // [B, 1, S, dk]
  std::vector<double> forty;
  for (int i = 0; i < 80; ++i) forty.push_back(i % 40);
  const Var values(Tensor::of({2, 1, 10, 4}, forty));      // [B, 1, S, dv]
  const Var wide(Tensor::normal({2, 1, 1, 20}, Rng(1)));   // [B, 1, T, dq]
  const Var narrow(Tensor::normal({2, 1, 1, 2}, Rng(2)));  // as wide as the keys
  const Mask mask = Mask::valid({2, 6});                   // 2 keys count in row 0, 6 in row 1
  fmt::print("Ten equal keys, of which 2 and 6 are valid. Values are 0 1 2 3, 4 5 6 7, ...\n");
  print("additive, queries 20 wide and keys 2 wide:",
        attend("additive", {wide, keys, values, mask}).output.reshaped({2, 4}));
  print("scaled-dot, both 2 wide:",
        attend("scaled-dot", {narrow, keys, values, mask}).output.reshaped({2, 4}));
}

void every_mechanism(const std::string& folder) {
  const Var x(
      Tensor::of({1, 1, 5, 4}, {1, 0, 1, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, .5, .5, 0}));
  HeatMap map{.title = "One input, every way to score it",
              .panels_across = 4,
              .row_axis = "query",
              .col_axis = "key",
              .show_values = false};
  for (const Mechanism* mechanism : all_mechanisms())
    map.panels.push_back(
        panel(std::string(mechanism->name), attend(mechanism->name, {x, x, x}).weights));
  show(map, folder + "/scoring");
}

}  // namespace
}  // namespace regard::examples

int main(int argc, char** argv) {
  return regard::examples::run(argc, argv, [](const std::string& folder) {
    regard::examples::equal_keys();
    fmt::print("\nFive tokens of four features under every mechanism of this build:\n");
    regard::examples::every_mechanism(folder);
  });
}
