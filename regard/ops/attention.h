#pragma once

#include "regard/ops/attention_inputs.h"
#include "regard/ops/attention_reader.h"

namespace regard {

struct Attended {
  Var output;              ///< [N, H dv]
  AttentionReader reader;  ///< where every head looked
};

/// Scaled dot-product attention (Vaswani et al. 2017) of every segment of queries over its segment
/// of keys, head by head:
///   output[t] = sum_s dropout(softmax_s(scale <q[t], k[s]> + what the mask adds)) v[s]
/// Fused: memory is linear in length, forward and back (Dao et al. 2022). What a query cannot see
/// may hold anything and changes no bit of its output or gradients; a query that sees nothing gives
/// 0. What it sees and is not finite gives NaN: the rule stands in backend/attention.h. Where the
/// mask's bias needs a gradient this is composed_attention.
Attended attention(const AttentionInputs& inputs, const AttentionSpec& spec = {});

/// The same of simple operations, with all weights in memory. What a query cannot see changes
/// nothing here either, and a NaN in itself, a key or a bias that it sees makes its row NaN; but a
/// value that is not finite shows in its own columns alone, and infinite scores weigh as their
/// limit does.
Attended composed_attention(const AttentionInputs& inputs, const AttentionSpec& spec = {});

}  // namespace regard
