#pragma once

#include <functional>
#include <vector>

#include "regard/autograd/var.h"
#include "regard/base/rng.h"

namespace regard {

/// What a decoder of gated recurrent units with additive attention reads (the formula is in
/// backend/attending_gru.h). Rows are in the order of time, as in ops/gru_sequence.h.
struct AttendingGruInputs {
  struct Layer {
    Var input, input_bias;    ///< [F, 3 F] and [3 F], none for the first: there the context's part
    Var hidden, hidden_bias;  ///< [F, 3 F], [3 F]
    Var initial;              ///< [B, F]
  };

  Var token_gates;                  ///< [N, 3 F]: the token's part of the first layer's gates
  Var keys, values;                 ///< [M, h], [M, F]: of all sources
  std::vector<Index> begins, lens;  ///< the rows of each sequence's source, which no other has
  Var query, judge;                 ///< [F, h], [h]
  std::vector<Layer> layers;
  std::vector<Index> starts;
};

struct AttendingGruDropout {
  double weights = 0, layers = 0;        ///< of attention weights, and of states between layers
  std::function<Rng(Index step)> rng{};  ///< its fork "dropout" draws for the weights, its fork
                                         ///< "layer" and then i for what layer i reads
};

/// All steps as one node of the graph; gradients of the weights are one product each.
///   -> [N, 2 F]: the last layer's state after each step, and the context it read
Var attending_gru(const AttendingGruInputs& in, const AttendingGruDropout& dropout);

}  // namespace regard
