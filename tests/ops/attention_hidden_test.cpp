// What a query cannot see: it may hold anything. And queries that see nothing.
#include <gtest/gtest.h>

#include "regard/ops/attention.h"
#include "tests/ops/attention_oracle.h"

namespace regard::testing {
namespace {

/// Which keys (b, s) each key head's queries see.
bool seen(const AttentionCase& c, Index b, Index g, Index t, Index s) {
  const Index share = c.inputs.q.heads / c.inputs.k.heads;
  for (Index h = g * share; h < (g + 1) * share; ++h)
    if (c.added(b, h, t, s) != -kInfinity) return true;
  return false;
}

bool seen_by_any(const AttentionCase& c, Index b, Index g, Index s) {
  for (Index t = 0; t < c.inputs.queries.length(b); ++t)
    if (seen(c, b, g, t, s)) return true;
  return false;
}

void put(Tensor x, Index row, const HeadColumns& columns, Index head, double value) {
  for (Index i = 0; i < columns.width; ++i)
    visit(x.dtype(), [&]<class T>(T) {
      x.span<T>()[static_cast<std::size_t>(row * x.size(1) + columns.start + head * columns.width +
                                           i)] = static_cast<T>(value);
    });
}

TEST(AttentionHidden, KeysNobodySeesMayHoldAnything) {  // covers NU2
  law("hidden keys change no bit", 180, [](Draw& draw) {
    const auto kind = static_cast<Masking>(draw.number() % kMaskings);
    const CaseSizes most{.batch = 3, .length = 60, .width = 20};
    AttentionCase c = draw_case(draw, kind, Dtype::f32, most);
    if (draw.coin()) c.spec.dropout = {0.25, draw.rng("drop")};
    const auto before = everything(c.inputs, c.spec);
    const double garbage[] = {std::nan(""), kInfinity, -kInfinity, 1e10, 3e38};
    for (const double value : garbage) {
      AttentionInputs dirty = c.inputs;
      dirty.k.rows = Var(c.inputs.k.rows.value().clone(), true);
      dirty.v.rows = Var(c.inputs.v.rows.value().clone(), true);
      for (Index b = 0; b < c.inputs.keys.count(); ++b)
        for (Index g = 0; g < c.inputs.k.heads; ++g)
          for (Index s = 0; s < c.inputs.keys.length(b); ++s) {
            if (seen_by_any(c, b, g, s)) continue;
            put(dirty.k.rows.value(), c.inputs.keys.begin(b) + s, c.inputs.k, g, value);
            put(dirty.v.rows.value(), c.inputs.keys.begin(b) + s, c.inputs.v, g, value);
          }
      ASSERT_TRUE(same_bits(before, everything(dirty, c.spec))) << value;
    }
  });
}

TEST(AttentionHidden, ABadKeySpoilsOnlyThoseWhoSeeIt) {
  law("NaN goes where it is seen", 180, [](Draw& draw) {
    const auto kind = static_cast<Masking>(draw.number() % kMaskings);
    const CaseSizes most{.batch = 2, .length = 40, .width = 20, .key_heads = 1, .share = 1};
    AttentionCase c = draw_case(draw, kind, Dtype::f32, most);
    const auto before = everything(c.inputs, c.spec);
    const Index b = draw.integer(0, c.inputs.keys.count() - 1);
    const Index s = draw.integer(0, c.inputs.keys.length(b) - 1);
    AttentionInputs dirty = c.inputs;
    HeadColumns& part = draw.coin() ? dirty.k : dirty.v;
    part.rows = Var(part.rows.value().clone(), true);
    put(part.rows.value(), c.inputs.keys.begin(b) + s, part, 0,
        draw.coin() ? kInfinity : std::nan(""));
    const auto after = everything(dirty, c.spec);

    // The rows of output and dq: NaN for queries that see the key, and no other bit changed.
    const auto& [q, k, v, queries, keys] = c.inputs;
    std::vector<bool> lost(static_cast<std::size_t>(queries.rows()));
    for (Index t = 0; t < queries.length(b); ++t)
      lost[static_cast<std::size_t>(queries.begin(b) + t)] = seen(c, b, 0, t, s);
    for (Index n = 0; n < queries.rows(); ++n) {
      const bool nan = lost[static_cast<std::size_t>(n)];
      for (Index i = 0; i < v.width; ++i)
        ASSERT_TRUE(nan ? std::isnan(after[0].at({n, i}))
                        : after[0].at({n, i}) == before[0].at({n, i}));
      for (Index i = q.start; i < q.start + q.width; ++i)
        ASSERT_TRUE(nan ? std::isnan(after[1].at({n, i}))
                        : after[1].at({n, i}) == before[1].at({n, i}));
    }
    // A key whose viewers are all sound keeps its gradient.
    for (Index other = 0; other < keys.length(b); ++other) {
      bool touched = false;
      for (Index t = 0; t < queries.length(b); ++t)
        touched |= seen(c, b, 0, t, other) && lost[static_cast<std::size_t>(queries.begin(b) + t)];
      for (Index i = k.start; i < k.start + k.width; ++i) {
        const double now = after[2].at({keys.begin(b) + other, i});
        ASSERT_TRUE(touched ? std::isnan(now) : now == before[2].at({keys.begin(b) + other, i}));
      }
      for (Index i = v.start; i < v.start + v.width; ++i) {
        const double now = after[3].at({keys.begin(b) + other, i});
        ASSERT_TRUE(touched ? std::isnan(now) : now == before[3].at({keys.begin(b) + other, i}));
      }
    }
  });
}

/// Rows of x are NaN where lost(row), else those of `before`. Only the columns of the heads count.
void expect_lost(const Tensor& x, const Tensor& before, const HeadColumns& columns,
                 const std::function<bool(Index row)>& lost) {
  for (Index row = 0; row < x.size(0); ++row)
    for (Index i = columns.start; i < columns.start + columns.heads * columns.width; ++i)
      ASSERT_TRUE(lost(row) ? std::isnan(x.at({row, i})) : x.at({row, i}) == before.at({row, i}))
          << row << ' ' << i << ' ' << x.at({row, i}) << ' ' << before.at({row, i});
}

TEST(AttentionHidden, ABadQueryOrGradientSpoilsOnlyWhatItMeets) {
  law("a NaN query or gradient", 200, [](Draw& draw) {
    const CaseSizes most{.batch = 2, .length = 40, .width = 9, .key_heads = 1, .share = 1};
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    AttentionCase c = draw_case(draw, Masking::causal, dtype, most);
    const auto& [q, k, v, queries, keys] = c.inputs;
    const auto before = everything(c.inputs, c.spec);
    const Index b = draw.integer(0, queries.count() - 1);
    const Index t = draw.integer(0, queries.length(b) - 1), n = queries.begin(b) + t;
    const bool query = draw.coin();
    const double value = draw.coin() ? std::nan("") : draw.coin() ? kInfinity : -kInfinity;
    AttentionInputs dirty = c.inputs;
    Tensor dy = fixed_dy(c.inputs);
    if (query) {
      dirty.q.rows = Var(q.rows.value().clone(), true);
      put(dirty.q.rows.value(), n, q, 0, value);
    } else {
      put(dy, n, {Var(dy), 1, 1, draw.integer(0, v.width - 1)}, 0, value);
    }
    const auto after = gradients(dirty, c.spec, dy);
    const auto meets = [&](Index row) {
      const Index s = row - keys.begin(b);
      return s >= 0 && s < keys.length(b) && seen(c, b, 0, t, s);
    };
    bool sees = false;
    for (Index row = 0; row < keys.rows(); ++row) sees |= meets(row);
    const HeadColumns output{Var(dy), 1, v.width};
    expect_lost(after[0], before[0], output, [&](Index row) { return query && row == n && sees; });
    expect_lost(after[1], before[1], q, [&](Index row) { return row == n && sees; });
    expect_lost(after[2], before[2], k, meets);
    expect_lost(after[3], before[3], v, meets);
  });
}

TEST(AttentionHidden, AMaskThatAddsNoNumberSpoilsItsQueryAlone) {
  law("NaN or infinity in a bias", 100, [](Draw& draw) {
    const CaseSizes most{.batch = 1, .length = 40, .width = 9, .key_heads = 1, .share = 1};
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    AttentionCase c = draw_case(draw, draw.coin() ? Masking::window : Masking::full, dtype, most);
    const auto& [q, k, v, queries, keys] = c.inputs;
    const Index T = queries.rows(), S = keys.rows();
    const Index t = draw.integer(0, T - 1), s = draw.integer(0, S - 1);
    std::vector<double> bias(static_cast<std::size_t>(T * S), 0.25);
    const auto biased = [&] {
      return AttentionSpec{
          .mask = c.spec.mask & Mask::additive(Var(Tensor::of({T, S}, bias, dtype))),
          .scale = c.spec.scale};
    };
    const auto before = everything(c.inputs, biased());
    bias[static_cast<std::size_t>(t * S + s)] = draw.coin() ? kInfinity : std::nan("");
    const auto after = everything(c.inputs, biased());
    const bool lost = seen(c, 0, 0, t, s);
    const auto meets = [&](Index row) { return lost && seen(c, 0, 0, t, row); };
    const HeadColumns output{Var(after[0]), 1, v.width};
    expect_lost(after[0], before[0], output, [&](Index row) { return lost && row == t; });
    expect_lost(after[1], before[1], q, [&](Index row) { return lost && row == t; });
    expect_lost(after[2], before[2], k, meets);
    expect_lost(after[3], before[3], v, meets);
    in_every_setting([&](const std::string& what) {
      EXPECT_TRUE(same_bits(after, everything(c.inputs, biased()))) << what;
    });
  });
}

TEST(AttentionHidden, ComposedToo) {
  law("NaN goes where it is seen, composed", 180, [](Draw& draw) {
    const auto kind = static_cast<Masking>(draw.number() % kMaskings);
    const CaseSizes most{.batch = 2, .length = 20, .width = 9, .key_heads = 1, .share = 1};
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    AttentionCase c = draw_case(draw, kind, dtype, most);
    const auto& [q, k, v, queries, keys] = c.inputs;
    const auto before = everything(c.inputs, c.spec, composed_attention);
    const Index b = draw.integer(0, keys.count() - 1), s = draw.integer(0, keys.length(b) - 1);
    AttentionInputs dirty = c.inputs;
    for (HeadColumns* part : {&dirty.k, &dirty.v}) {
      part->rows = Var(part->rows.value().clone(), true);
      put(part->rows.value(), keys.begin(b) + s, *part, 0, std::nan(""));
    }
    const auto after = everything(dirty, c.spec, composed_attention);
    const auto lost = [&](Index row) {
      const Index t = row - queries.begin(b);
      return t >= 0 && t < queries.length(b) && seen(c, b, 0, t, s);
    };
    expect_lost(after[0], before[0], {Var(after[0]), 1, v.width}, lost);
    expect_lost(after[1], before[1], q, lost);
    if (seen_by_any(c, b, 0, s)) return;
    const auto none = [](Index) { return false; };
    expect_lost(after[2], before[2], k, none);
    expect_lost(after[3], before[3], v, none);
  });
}

TEST(AttentionHidden, AQueryThatSeesNothingGivesZero) {  // covers NU1
  law("no visible key", 100, [](Draw& draw) {
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    const auto kind = draw.coin() ? Masking::valid_each : Masking::table;
    AttentionCase c = draw_case(draw, kind, dtype, {.length = 30});
    const Index T = c.inputs.queries.longest(), S = c.inputs.keys.longest();
    const Index B = c.inputs.queries.count(), closed = draw.integer(0, T - 1);
    std::vector<std::uint8_t> allowed(static_cast<std::size_t>(T * S), 1);
    for (Index s = 0; s < S; ++s) allowed[static_cast<std::size_t>(closed * S + s)] = 0;
    c.spec.mask = c.spec.mask & Mask::table({T, S}, allowed);
    for (const auto attend : {attention, composed_attention}) {
      const auto all = everything(c.inputs, c.spec, attend);
      for (const Tensor& x : all)
        for (const double value : x.values()) ASSERT_TRUE(std::isfinite(value));
      for (Index b = 0; b < B; ++b)
        for (int i : {0, 1})
          for (Index column = 0; column < all[static_cast<std::size_t>(i)].size(1); ++column)
            ASSERT_EQ(all[static_cast<std::size_t>(i)].at({b * T + closed, column}), 0);
      const AttentionReader reader = attend(c.inputs, c.spec).reader;
      for (const double w : reader.weights(0, 0, closed, 1).values()) ASSERT_EQ(w, 0);
      ASSERT_EQ(reader.entropy(0, 0).at({closed}), 0);
      ASSERT_TRUE(reader.top(0, 0, closed, 3).empty());
    }
  });
}

TEST(AttentionHidden, BooleanAndAdditiveMasksAgree) {  // covers NU4
  law("bool = -inf = -FLT_MAX", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, Masking::table, Dtype::f32, {.length = 40});
    const Index B = c.inputs.queries.count(), H = c.inputs.q.heads;
    const Index T = c.inputs.queries.longest(), S = c.inputs.keys.longest();
    const auto expected = everything(c.inputs, c.spec);
    for (const double low :
         {-kInfinity, static_cast<double>(std::numeric_limits<float>::lowest())}) {
      std::vector<double> bias;
      for (Index i = 0; i < B * H * T * S; ++i)
        bias.push_back(c.added(i / S / T / H, i / S / T % H, i / S % T, i % S) == 0 ? 0 : low);
      AttentionSpec spec = c.spec;
      spec.mask = Mask::additive(Var(Tensor::of({B, H, T, S}, bias)));
      EXPECT_TRUE(same_bits(expected, everything(c.inputs, spec)));
    }
  });
}

}  // namespace
}  // namespace regard::testing
