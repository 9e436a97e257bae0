#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "regard/attention/mechanism.h"
#include "tests/support/law.h"

namespace regard::testing {

inline constexpr int kDraws = 100;

/// The sizes of one attention call.
struct CaseSize {
  Index B, H, G, T, S, d, dv;
};

/// Small random sizes, with G dividing H.
CaseSize random_size(Draw& draw);

/// Random operands for a mechanism, queries as wide as keys where it needs that.
QueryKeyValue random_operands(const CaseSize& size, Rng rng, Dtype dtype = Dtype::f64);

/// One of every kind of mask, and some joined, that fit the size; each with its name.
struct NamedMask {
  std::string name;
  Mask mask;
};
std::vector<NamedMask> every_mask(const CaseSize& size, Rng rng, Dtype dtype = Dtype::f64);

/// A table of random 0 and 1.
Mask random_table(Shape shape, Rng rng);

/// A mechanism for operands of that size.
std::unique_ptr<Attention> made(const Mechanism& mechanism, const CaseSize& size,
                                Dtype dtype = Dtype::f64);

/// Rows `begin` to `end` of an axis, copied.
Tensor cut(const Tensor& x, int axis, Index begin, Index end);

/// x with the entries of an axis in another order.
Tensor reordered(const Tensor& x, int axis, const std::vector<Index>& order);

/// A permutation of 0 .. n-1.
std::vector<Index> shuffled(Index n, Rng rng);

/// The mechanism's name as GoogleTest takes names.
std::string mechanism_test_name(const ::testing::TestParamInfo<const Mechanism*>& info);

}  // namespace regard::testing
