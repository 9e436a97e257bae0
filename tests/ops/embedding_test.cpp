#include "regard/ops/embedding.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::gradient_error;
using testing::in_every_setting;
using testing::law;
using testing::same_bits;

std::vector<std::int32_t> draw_ids(Draw& draw, Index N, Index V) {
  std::vector<std::int32_t> ids;
  for (Index n = 0; n < N; ++n) ids.push_back(static_cast<std::int32_t>(draw.integer(0, V - 1)));
  return ids;
}

TEST(Embedding, ReadsRowsAndAddsTheirGradients) {
  law("y[n] = table[ids[n]]; dtable[v] = sum of dy where ids = v", 100, [](Draw& draw) {
    const Index N = draw.integer(0, 9), V = draw.integer(1, 6), D = draw.integer(1, 4);
    const std::vector<std::int32_t> ids = draw_ids(draw, N, V);
    const Tensor table = Tensor::uniform({V, D}, draw.rng("table"), Dtype::f64);
    const Var leaf(table, true);
    const Var y = embedding(leaf, ids);
    const Tensor dy = Tensor::uniform({N, D}, draw.rng("dy"), Dtype::f64);
    backward(y, dy);
    for (Index i = 0; i < D; ++i) {
      std::vector<double> sums(static_cast<std::size_t>(V), 0.0);
      for (Index n = 0; n < N; ++n) {
        ASSERT_EQ(y.value().at({n, i}), table.at({ids[n], i}));
        sums[ids[n]] += dy.at({n, i});
      }
      for (Index v = 0; v < V; ++v) ASSERT_EQ(leaf.grad().at({v, i}), sums[v]);
    }
    EXPECT_LE(gradient_error([&](const Var& v) { return embedding(v, ids); }, table), 1e-7);
  });
}

TEST(Embedding, SameBitsInEverySetting) {
  law("settings", 2, [](Draw& draw) {
    std::vector<std::int32_t> ids = draw_ids(draw, 500, 200);
    std::fill_n(ids.begin(), 200, 3);  // a frequent one
    const Tensor dy = Tensor::uniform({500, 300}, draw.rng("dy"));
    const auto gradient = [&] {
      const Var table(Tensor({200, 300}), true);
      backward(embedding(table, ids), dy);
      return table.grad();
    };
    const Tensor expected = gradient();
    in_every_setting(
        [&](const std::string& what) { EXPECT_TRUE(same_bits(gradient(), expected)) << what; });
  });
}

TEST(Embedding, RefusesIdsOutside) {
  const Var table(Tensor({5, 2}));
  for (const std::int32_t bad : {5, -1})
    expect_error("id " + std::to_string(bad) + " at position 2 .*vocabulary of 5", [&] {
      embedding(table, std::vector<std::int32_t>{0, 4, bad});
    });
  expect_error(R"(\[V, D\])", [&] { embedding(Var(Tensor({5})), std::vector<std::int32_t>{0}); });
}

}  // namespace
}  // namespace regard
