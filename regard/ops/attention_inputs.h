#pragma once

#include <optional>

#include "regard/autograd/var.h"
#include "regard/backend/attention.h"
#include "regard/ops/dropout.h"
#include "regard/ops/mask.h"
#include "regard/ops/segments.h"

namespace regard {

/// Heads inside the columns of a matrix: head h of row n is columns start + h * width, `width` of
/// them. So q, k and v may be three parts of one projection [N, 3 H d].
struct HeadColumns {
  Var rows;
  Index heads = 1, width = 0, start = 0;
};

/// q has H heads of width d, k has G heads of width d, v has G heads of any width; G divides H, and
/// head h reads key head h / (H / G): H = G is multi-head, G = 1 multi-query attention.
struct AttentionInputs {
  HeadColumns q, k, v;
  Segments queries, keys;
};

struct AttentionSpec {
  Mask mask = {};                    ///< tables and biases need segments of one length
  std::optional<double> scale = {};  ///< 1 / sqrt(d) where absent
  DropoutSpec dropout = {};          ///< of the weights
};

/// Throws Error unless operands, segments and mask fit one another.
void check_attention(const AttentionInputs& inputs, const AttentionSpec& spec);

/// Throws Error unless the columns are there and have a row for each of the segments'.
void check_columns(const char* what, const HeadColumns& columns, const Segments& segments);

/// Throws Error if a mask names single queries or keys and segments have several lengths.
void check_mask(const MaskView<std::byte>& mask, const Segments& queries, const Segments& keys);

/// [B, H, T, S] of the longest segments.
ScoreShape score_shape(const AttentionInputs& inputs);

double attention_scale(const AttentionInputs& inputs, const AttentionSpec& spec);

/// Where the heads lie in a tensor of the shape of columns.rows; `data` is its first element.
template <class T>
Heads<T> heads_at(T* data, const HeadColumns& columns) {
  return {data + columns.start, columns.rows.size(0), columns.heads,
          columns.width,        columns.rows.size(1), columns.width};
}

/// The peak and the sum of each row of scores, in a tensor whose last axis is the two.
template <class T>
Rows<T> norm_rows(T* data, const Tensor& norms) {
  return {data, norms.count() / 2, 2};
}

/// As kernels read it. Valid while inputs, spec and keeper live. REQUIRES T is the inputs' dtype.
template <Real T>
AttentionProblem<T> attention_problem(const AttentionInputs& inputs, const AttentionSpec& spec,
                                      Tensor& keeper) {
  const auto heads = [](const HeadColumns& columns) {
    return heads_at(columns.rows.value().template span<T>().data(), columns);
  };
  return {.q = heads(inputs.q),
          .k = heads(inputs.k),
          .v = heads(inputs.v),
          .queries = inputs.queries.view(),
          .keys = inputs.keys.view(),
          .mask = spec.mask.view(score_shape(inputs), dtype_of<T>, keeper).view.template cast<T>(),
          .scale = static_cast<T>(attention_scale(inputs, spec)),
          .dropout = dropout_draws(spec.dropout)};
}

}  // namespace regard
