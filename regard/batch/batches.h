#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "regard/base/real.h"
#include "regard/base/rng.h"

namespace regard {

/// A pair in numbers: the tokens of a sentence and of its translation.
struct IdPair {
  std::vector<std::int32_t> source, target;
};

/// How many rows of a batch a pair takes.
struct PairLoad {
  Index source = 0, target = 0;
};

/// How an epoch is cut.
struct BatchSpec {
  Index tokens = 4096;  ///< of a batch, at most, on each side; a target counts 1 more for its end
  Index pool = 100;     ///< so many batches' worth of sentences are sorted by length together
};

/// The batches of one epoch, as indices into `pairs`: every pair in exactly one batch, sentences of
/// like length together, in an order that is a pure function of (pairs, spec, rng). No batch holds
/// more than spec.tokens on either side, unless it is one longer sentence alone.
std::vector<std::vector<Index>> batches_of_epoch(std::span<const IdPair> pairs,
                                                 const BatchSpec& spec, Rng rng);

/// The same of pairs of which only that is known; a target counts its end.
std::vector<std::vector<Index>> batches_of_epoch(std::span<const PairLoad> pairs,
                                                 const BatchSpec& spec, Rng rng);

}  // namespace regard
