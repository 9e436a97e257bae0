#pragma once

#include "regard/autograd/var.h"
#include "regard/base/rng.h"
#include "regard/ops/segments.h"

namespace regard {

/// A row of its own that stands in front of each sequence, to gather what is said of the whole
/// (Devlin et al. 2019, arXiv:1810.04805; in front of patches Dosovitskiy et al. 2021,
/// arXiv:2010.11929). It has no position: it stands in front of all.
struct ClassToken {
  Var vector;  ///< [1, D]

  ClassToken(Index width, Rng rng, Dtype dtype);

  /// The sequences with it in front of each: [N, D] -> [N + B, D].
  Var in_front_of(const Var& rows, const Segments& segments) const;

  /// Of sequences that have it, its row alone: [N + B, D] -> [B, D].
  static Var row_of(const Var& rows, const Segments& with_token);

  /// The segments of sequences of one row more.
  static Segments with_token(const Segments& segments);

  void each(auto&& visit) { visit("vector", vector); }
};

}  // namespace regard
