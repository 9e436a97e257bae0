#pragma once

#include <vector>

#include "regard/attention/mechanism.h"
#include "regard/block/linear.h"
#include "regard/ops/segments.h"

namespace regard {

struct GruSpec {
  Index in = 0, hidden = 0;  ///< columns of the input; F, of the state
  Index layers = 1;
  double dropout = 0;  ///< between layers, when training
  Dtype dtype = Dtype::f32;
  Rng rng{0};
};

/// Layers of gated recurrent units over ragged sequences (ops/gru_cell.h has the formula).
struct Gru {
  struct Layer {
    Linear input;   ///< [in, 3 F]: one product for all time steps
    Linear hidden;  ///< [F, 3 F]

    void each(auto&& visit) {
      visit("input", input);
      visit("hidden", hidden);
    }
  };
  struct Result {
    Var outputs;              ///< the last layer's state after each row, shaped like x: [..., F]
    std::vector<Var> states;  ///< of each layer after the last row of each sequence: [B, F]
  };

  std::vector<Layer> layers;
  double dropout;

  explicit Gru(const GruSpec& spec);

  /// x [..., in], sequence after sequence. `initial` is one state [B, F] a layer; empty: zeros. A
  /// sequence of no rows keeps its initial state.
  Result operator()(const Var& x, const Segments& segments, const std::vector<Var>& initial,
                    const Pass& pass) const;

  void each(auto&& visit) { visit("layers", layers); }
};

}  // namespace regard
