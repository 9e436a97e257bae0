#include "regard/ops/key_value_cache.h"

#include <gtest/gtest.h>

#include <limits>

#include "regard/base/check.h"
#include "regard/ops/attention.h"
#include "regard/ops/concat.h"
#include "regard/ops/slice.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;

/// The same in rows that are copied at every turn: what a cache must never differ from.
struct RowCache {
  std::vector<Tensor> keys, values;  // of each sequence

  void append(const Tensor& k, const Tensor& v, const Segments& fresh) {
    for (std::size_t b = 0; b < keys.size(); ++b) {
      const Index begin = fresh.begin(static_cast<Index>(b)),
                  end = begin + fresh.length(static_cast<Index>(b));
      keys[b] = concat({Var(keys[b]), Var(slice(k, 0, begin, end))}, 0).value();
      values[b] = concat({Var(values[b]), Var(slice(v, 0, begin, end))}, 0).value();
    }
  }

  void reorder(std::span<const Index> chosen) {
    const RowCache before = *this;
    keys.clear();
    values.clear();
    for (const Index b : chosen) {
      keys.push_back(before.keys[static_cast<std::size_t>(b)]);
      values.push_back(before.values[static_cast<std::size_t>(b)]);
    }
  }

  Segments segments() const {
    std::vector<Index> lengths;
    for (const Tensor& each : keys) lengths.push_back(each.size(0));
    return Segments::of_lengths(lengths);
  }

  static Var all(const std::vector<Tensor>& parts) {
    std::vector<Var> vars;
    for (const Tensor& part : parts) vars.emplace_back(part);
    return concat(vars, 0);
  }
};

struct Both {
  PageShape shape;
  Dtype dtype;
  KeyValueCache cache;
  RowCache rows;

  Both(const PageShape& shape, Dtype dtype, Index sequences)
      : shape(shape), dtype(dtype), cache(shape, dtype, sequences) {
    for (Index b = 0; b < sequences; ++b) {
      rows.keys.push_back(Tensor({0, shape.heads * shape.width}, dtype));
      rows.values.push_back(Tensor({0, shape.heads * shape.value_width}, dtype));
    }
  }

  Index count() const { return static_cast<Index>(rows.keys.size()); }

  void append(const Tensor& k, const Tensor& v, const Segments& fresh) {
    cache.append({Var(k), shape.heads, shape.width}, {Var(v), shape.heads, shape.value_width},
                 fresh);
    rows.append(k, v, fresh);
  }

  void reorder(std::span<const Index> chosen) {
    cache.reorder(chosen);
    rows.reorder(chosen);
  }

  void expect_equal(const HeadColumns& q, const Segments& queries, const Mask& mask) const {
    const Var expected =
        attention({.q = q,
                   .k = {RowCache::all(rows.keys), shape.heads, shape.width},
                   .v = {RowCache::all(rows.values), shape.heads, shape.value_width},
                   .queries = queries,
                   .keys = rows.segments()},
                  {.mask = mask})
            .output;
    EXPECT_TRUE(testing::same_bits(cache.attend(q, queries, mask), expected.value()));
  }
};

Mask some_mask(Draw& draw, Index heads) {
  switch (draw.integer(0, 3)) {
    case 0:
      return Mask::causal();
    case 1:
      return Mask::window(draw.integer(0, 20), 0);
    case 2:
      return Mask::causal() &
             Mask::distance(std::vector<double>(static_cast<std::size_t>(heads), 0.5));
    default:
      return Mask::full();
  }
}

std::vector<Index> some_counts(Draw& draw, Index count, Index most) {
  std::vector<Index> counts;
  for (Index b = 0; b < count; ++b) counts.push_back(draw.integer(0, most));
  return counts;
}

/// Sequences grow, are chosen twice or never, and are joined by others; at any time attention to
/// them has the bits of attention to rows, whatever is not finite in them.
TEST(KeyValueCache, IsAttentionToRows) {
  testing::law("cache", 200, [](Draw& draw) {
    const Dtype dtype = draw.integer(0, 3) == 0 ? Dtype::f64 : Dtype::f32;
    const Index value_width = draw.coin() ? 32 * draw.integer(1, 3) : draw.integer(1, 70);
    const PageShape shape{draw.integer(1, 9), draw.integer(1, 70), value_width};
    const Index shared = draw.integer(1, 2);
    const double bad = std::numeric_limits<double>::quiet_NaN();
    const bool broken = draw.integer(0, 4) == 0;
    const auto grow = [&](Both& both, const std::string& name) {
      const Segments fresh =
          Segments::of_lengths(some_counts(draw, both.count(), draw.coin() ? 2 : 150));
      const auto made = [&](Index columns, const std::string& what) {
        Tensor x = Tensor::uniform({fresh.rows(), columns}, draw.rng(name + what), dtype);
        if (broken && x.count() > 0)
          visit(dtype, [&]<class T>(T) {
            x.span<T>()[static_cast<std::size_t>(draw.integer(0, x.count() - 1))] =
                static_cast<T>(bad);
          });
        return x;
      };
      both.append(made(shape.heads * shape.width, "k"), made(shape.heads * shape.value_width, "v"),
                  fresh);
    };
    Both both(shape, dtype, draw.integer(1, 4));
    for (int round = 0; round < 4; ++round) {
      grow(both, "round " + std::to_string(round));
      std::vector<Index> chosen;
      for (Index i = 0; i < draw.integer(1, 6); ++i)
        chosen.push_back(draw.integer(0, both.count() - 1));
      if (draw.coin()) std::ranges::sort(chosen);
      both.reorder(chosen);
      if (draw.integer(0, 2) == 0) {
        Both more(shape, dtype, draw.integer(1, 2));
        grow(more, "more " + std::to_string(round));
        both.cache.join(more.cache);
        both.rows.keys.insert(both.rows.keys.end(), more.rows.keys.begin(), more.rows.keys.end());
        both.rows.values.insert(both.rows.values.end(), more.rows.values.begin(),
                                more.rows.values.end());
      }
      const Segments queries = Segments::of_lengths(some_counts(draw, both.count(), 2));
      const Index heads = shape.heads * shared;
      const Tensor q = Tensor::uniform({queries.rows(), heads * shape.width},
                                       draw.rng("q" + std::to_string(round)), dtype);
      both.expect_equal({Var(q), heads, shape.width}, queries, some_mask(draw, heads));
    }
  });
}

TEST(KeyValueCache, HasTheSameBitsInEverySetting) {
  const PageShape shape{2, 33, 17};
  const Segments fresh = Segments::of_lengths({40, 0, 7});
  const Tensor k = Tensor::uniform({47, 66}, Rng(1)), v = Tensor::uniform({47, 34}, Rng(2)),
               q = Tensor::uniform({3, 66}, Rng(3));
  Tensor first;
  testing::in_every_setting([&](const std::string& what) {
    KeyValueCache cache(shape, Dtype::f32, 3);
    cache.append({Var(k), 2, 33}, {Var(v), 2, 17}, fresh);
    const Tensor y = cache.attend({Var(q), 2, 33}, Segments::equal(3, 1), Mask::causal());
    if (first.count() == 0) first = y;
    EXPECT_TRUE(testing::same_bits(y, first)) << what;
  });
}

TEST(KeyValueCache, GivesItsRowsBack) {
  KeyValueCache cache({1, 2, 3}, Dtype::f32, 1);
  const Tensor k = Tensor::arange({20, 2}), v = Tensor::arange({20, 3});
  cache.append({Var(k), 1, 2}, {Var(v), 1, 3}, Segments::equal(1, 20));
  EXPECT_TRUE(testing::same_bits(cache.rows().keys, k));
  EXPECT_TRUE(testing::same_bits(cache.rows().values, v));
}

TEST(KeyValueCache, RefusesWhatDoesNotFit) {
  KeyValueCache cache({1, 2, 2}, Dtype::f32, 2);
  const Var rows(Tensor({2, 2}));
  EXPECT_THROW(cache.append({rows, 1, 2}, {rows, 1, 2}, Segments::equal(1, 2)), Error);
  EXPECT_THROW(cache.append({rows, 2, 1}, {rows, 1, 2}, Segments::equal(2, 1)), Error);
  EXPECT_THROW(cache.append({rows, 1, 2}, {rows, 1, 2}, Segments::equal(2, 2)), Error);
  EXPECT_THROW(cache.reorder(std::vector<Index>{0, 2}), Error);
  EXPECT_THROW(cache.join(KeyValueCache({1, 3, 2}, Dtype::f32, 1)), Error);
  EXPECT_THROW(cache.attend({rows, 1, 2}, Segments::equal(1, 2), {}), Error);
}

}  // namespace
}  // namespace regard
