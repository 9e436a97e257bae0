#include "tests/attention/attention_case.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "regard/ops/concat.h"
#include "regard/ops/slice.h"

namespace regard::testing {

CaseSize random_size(Draw& draw) {
  const Index G = draw.integer(1, 2), times = draw.integer(1, 2);
  return {.B = draw.integer(1, 3),
          .H = G * times,
          .G = G,
          .T = draw.integer(1, 6),
          .S = draw.integer(1, 6),
          .d = draw.integer(1, 5),
          .dv = draw.integer(1, 4)};
}

QueryKeyValue random_operands(const CaseSize& size, Rng rng, Dtype dtype) {
  return {.q = Var(Tensor::normal({size.B, size.H, size.T, size.d}, rng.fork("q"), dtype)),
          .k = Var(Tensor::normal({size.B, size.G, size.S, size.d}, rng.fork("k"), dtype)),
          .v = Var(Tensor::normal({size.B, size.G, size.S, size.dv}, rng.fork("v"), dtype))};
}

Mask random_table(Shape shape, Rng rng) {
  std::vector<std::uint8_t> allowed(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < allowed.size(); ++i) allowed[i] = rng.uniform(i) < 0.6;
  return Mask::table(shape, std::move(allowed));
}

std::vector<NamedMask> every_mask(const CaseSize& z, Rng rng, Dtype dtype) {
  std::vector<Index> lens, per_query;
  for (Index b = 0; b < z.B; ++b)
    lens.push_back(static_cast<Index>(rng.fork("lens").below(b, z.S + 1)));
  for (Index i = 0; i < z.B * z.T; ++i)
    per_query.push_back(static_cast<Index>(rng.fork("per query").below(i, z.S + 1)));
  const Var bias(Tensor::normal({z.H, z.T, z.S}, rng.fork("bias"), dtype));
  std::vector<double> slopes;
  for (Index h = 0; h < z.H; ++h) slopes.push_back(std::ldexp(1.0, static_cast<int>(-h - 1)));
  const Mask table = random_table({z.B, 1, z.T, z.S}, rng.fork("table"));
  return {{"full", Mask::full()},
          {"causal", Mask::causal()},
          {"window", Mask::window(1, 1)},
          {"valid lengths", Mask::valid(lens)},
          {"valid lengths per query", Mask::valid(per_query, z.T)},
          {"table", table},
          {"additive", Mask::additive(bias)},
          {"distance", Mask::distance(slopes)},
          {"causal and valid", Mask::causal() & Mask::valid(lens)},
          {"both lengths and window",
           Mask::valid(lens) & Mask::valid(per_query, z.T) & Mask::window(2, 0)},
          {"everything", Mask::causal() & Mask::valid(lens) & table & Mask::additive(bias) &
                             Mask::distance(slopes)}};
}

std::unique_ptr<Attention> made(const Mechanism& mechanism, const CaseSize& size, Dtype dtype) {
  return make_attention(mechanism, {.heads = size.H,
                                    .query_width = size.d,
                                    .key_width = size.d,
                                    .hidden = 3,
                                    .dtype = dtype,
                                    .rng = Rng(5).fork("parameters")});
}

Tensor cut(const Tensor& x, int axis, Index begin, Index end) {
  return slice(Var(x), axis, begin, end).value();
}

Tensor reordered(const Tensor& x, int axis, const std::vector<Index>& order) {
  std::vector<Var> parts;
  for (const Index i : order) parts.push_back(slice(Var(x), axis, i, i + 1));
  return concat(parts, axis).value();
}

std::vector<Index> shuffled(Index n, Rng rng) {
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = n - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)],
              order[rng.below(static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(i + 1))]);
  return order;
}

std::string mechanism_test_name(const ::testing::TestParamInfo<const Mechanism*>& info) {
  std::string name(info.param->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace regard::testing
