#pragma once

#include "regard/autograd/var.h"

namespace regard {

/// One step of a gated recurrent unit (Cho et al. 2014, arXiv:1406.1078), with PyTorch's gates and
/// their order:
///   r = sigmoid(gx_r + gh_r)     z = sigmoid(gx_z + gh_z)
///   n = tanh(gx_n + r gh_n)      h' = (1 - z) n + z h
///   gx = x W_x + b_x [N, 3 D]   gh = h W_h + b_h [N, 3 D]   h [N, D] -> h' [N, D]
Var gru_cell(const Var& gx, const Var& gh, const Var& h);

}  // namespace regard
