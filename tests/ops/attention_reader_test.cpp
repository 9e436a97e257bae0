// Reading the weights afterwards, segments, and what attention refuses.
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "regard/base/check.h"
#include "regard/ops/attention.h"
#include "regard/tensor/memory.h"
#include "tests/ops/attention_oracle.h"

namespace regard::testing {
namespace {

TEST(AttentionReader, ReadsTheWeightsOfTheDefinition) {
  law("weights, sums, entropy, top", 180, [](Draw& draw) {
    const auto kind = static_cast<Masking>(draw.number() % kMaskings);
    const Dtype dtype = draw.coin() ? Dtype::f32 : Dtype::f64;
    AttentionCase c = draw_case(draw, kind, dtype, {.length = 40});
    if (draw.coin()) c.spec.dropout = {0.5, draw.rng("drop")};  // weights are read before it
    const AttentionReader reader = draw.coin() ? attention(c.inputs, c.spec).reader
                                               : composed_attention(c.inputs, c.spec).reader;
    const Index b = draw.integer(0, reader.segments() - 1), h = draw.integer(0, reader.heads() - 1);
    const Index T = reader.queries(b), S = reader.keys(b);
    const Tensor weights = reader.weights(b, h), entropy = reader.entropy(b, h);
    std::vector<double> sums(static_cast<std::size_t>(S));
    for (Index t = 0; t < T; ++t) {
      const std::vector<double> expected = naive_weights(c, b, h, t);
      double nats = 0;
      for (Index s = 0; s < S; ++s) {
        const double w = expected[static_cast<std::size_t>(s)];
        ASSERT_NEAR(weights.at({t, s}), w, 1e-6);
        ASSERT_TRUE(c.added(b, h, t, s) != -kInfinity || weights.at({t, s}) == 0);
        sums[static_cast<std::size_t>(s)] += w;
        if (w > 0) nats -= w * std::log(w);
      }
      ASSERT_NEAR(entropy.at({t}), nats, 5e-6);
    }
    const Tensor columns = reader.column_sums(b, h);
    for (Index s = 0; s < S; ++s)
      ASSERT_NEAR(columns.at({s}), sums[static_cast<std::size_t>(s)], 1e-5);

    const Index t = draw.integer(0, T - 1), k = draw.integer(0, S);
    const std::vector<AttentionReader::Look> looks = reader.top(b, h, t, k);
    Index visible = 0, larger = 0;
    for (Index s = 0; s < S; ++s) visible += c.added(b, h, t, s) != -kInfinity;
    ASSERT_EQ(static_cast<Index>(looks.size()), std::min(k, visible));
    for (Index s = 0; s < S && !looks.empty(); ++s)
      larger += weights.at({t, s}) > looks.back().weight;
    ASSERT_LE(larger, std::max<Index>(0, std::ssize(looks) - 1));
    for (std::size_t i = 0; i < looks.size(); ++i) {
      ASSERT_EQ(looks[i].weight, weights.at({t, looks[i].key}));
      ASSERT_TRUE(i == 0 || looks[i - 1].weight > looks[i].weight ||
                  (looks[i - 1].weight == looks[i].weight && looks[i - 1].key < looks[i].key));
    }
  });
}

TEST(AttentionReader, SomeRowsAreThoseOfAll) {
  law("rows", 100, [](Draw& draw) {
    AttentionCase c = draw_case(draw, Masking::causal, Dtype::f32, {.length = 300, .width = 20});
    const AttentionReader reader = attention(c.inputs, c.spec).reader;
    const Index T = reader.queries(0), S = reader.keys(0);
    const Index first = draw.integer(0, T - 1), count = draw.integer(0, T - first);
    const Tensor all = reader.weights(0, 0), some = reader.weights(0, 0, first, count);
    for (Index t = 0; t < count; ++t)
      for (Index s = 0; s < S; ++s) ASSERT_EQ(some.at({t, s}), all.at({first + t, s}));
  });
}

TEST(AttentionReader, RefusesQueriesThatAreNotThere) {
  const HeadColumns x{Var(Tensor({3, 2})), 1, 2};
  const AttentionReader reader =
      attention({x, x, x, Segments::equal(1, 3), Segments::equal(1, 3)}).reader;
  EXPECT_EQ(reader.weights(0, 0, 1, 2).shape(), (Shape{2, 3}));
  EXPECT_THROW(reader.weights(0, 0, 2, 2), Error);
  EXPECT_THROW(reader.weights(0, 0, 1, std::numeric_limits<Index>::max()), Error);
  EXPECT_THROW(reader.weights(0, 0, -1, 1), Error);
}

TEST(AttentionReader, MayBeReadByThreadsAtOnce) {
  AttentionCase c;
  Draw draw(Rng(9), 0);
  c = draw_case(draw, Masking::causal, Dtype::f32, {.length = 200});
  const AttentionReader reader =
      composed_attention(c.inputs, c.spec).reader;  // finds its norms when first read
  std::vector<Tensor> read(4);
  std::vector<std::thread> threads;
  for (Tensor& weights : read)
    threads.emplace_back([&weights, copy = reader] { weights = copy.weights(0, 0); });
  for (std::thread& thread : threads) thread.join();
  for (const Tensor& weights : read) EXPECT_TRUE(same_bits(weights, reader.weights(0, 0)));
}

TEST(AttentionReader, IsExactWhereScoresAreLarge) {
  // One rounded log-sum-exp would be wrong in the fourth digit at scores of 1e4.
  const Segments rows = Segments::equal(1, 2);
  const HeadColumns q{Var(Tensor::full({2, 1}, 100.0)), 1, 1};
  const HeadColumns k{Var(Tensor::of({2, 1}, {100.0, 100.0078125})), 1, 1};
  const Tensor weights = attention({q, k, k, rows, rows}, {.scale = 1.0}).reader.weights(0, 0);
  EXPECT_NEAR(weights.at({0, 0}), 1 / (1 + std::exp(0.78125)), 1e-6);
}

TEST(AttentionReader, KeepsMemoryLinearInLength) {
  const Index length = 3000;
  const Segments rows = Segments::equal(1, length);
  const HeadColumns x{Var(Tensor::uniform({length, 16}, Rng(1)), true), 1, 16};
  heap().forget_peak();
  const std::size_t before = heap().peak();
  const Attended attended = attention({x, x, x, rows, rows}, {.mask = Mask::causal()});
  backward(attended.output, Tensor::full(attended.output.shape(), 1));
  attended.reader.column_sums(0, 0);
  EXPECT_LT(heap().peak() - before, std::size_t{5} << 20);  // T x S alone would be 34 MiB
}

TEST(Segments, KnowTheirRows) {
  const Segments ragged = Segments::of_lengths({3, 0, 2});
  EXPECT_EQ(ragged.count(), 3);
  EXPECT_EQ(ragged.rows(), 5);
  EXPECT_EQ(ragged.begin(2), 3);
  EXPECT_EQ(ragged.length(1), 0);
  EXPECT_EQ(ragged.longest(), 3);
  EXPECT_FALSE(ragged.all_equal());
  EXPECT_TRUE(Segments::equal(4, 7).all_equal());
  EXPECT_EQ(Segments::equal(4, 7).rows(), 28);
  EXPECT_EQ(Segments().count(), 0);
  EXPECT_THROW(Segments({1, 2}), Error);
  EXPECT_THROW(Segments({0, 3, 2}), Error);
  EXPECT_THROW(Segments(std::vector<Index>{}), Error);
}

TEST(Attention, TakesEmptySegments) {
  const auto operand = [](Index rows) {
    return HeadColumns{Var(Tensor::full({rows, 4}, 1), true), 2, 2};
  };
  const AttentionInputs inputs{operand(3), operand(2), operand(2), Segments::of_lengths({2, 0, 1}),
                               Segments::of_lengths({0, 2, 0})};
  for (const Tensor& x : everything(inputs, {}))
    for (const double value : x.values()) EXPECT_EQ(value, 0);
}

TEST(Attention, RefusesWhatDoesNotFit) {  // property 14
  const auto good = [] {
    const auto operand = [](Index rows) { return HeadColumns{Var(Tensor({rows, 8})), 2, 4}; };
    return AttentionInputs{operand(6), operand(4), operand(4), Segments::equal(2, 3),
                           Segments::equal(2, 2)};
  };
  const auto refused = [&](const auto& spoil, const char* why) {
    AttentionInputs inputs = good();
    AttentionSpec spec;
    spoil(inputs, spec);
    for (const auto attend : {attention, composed_attention}) try {
        attend(inputs, spec);
        ADD_FAILURE() << "accepted: " << why;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
      }
  };
  EXPECT_NO_THROW(attention(good(), {}));
  refused([](auto& in, auto&) { in.q.rows = Var(); }, "q is missing");
  refused(
      [](auto& in, auto&) {
        in.k.rows = Var(Tensor({2, 2, 8}));
      },
      "k has shape [2, 2, 8], expected [N");
  refused([](auto& in, auto&) { in.v.rows = Var(Tensor({4, 8}, Dtype::f64)); }, "one type");
  refused([](auto& in, auto&) { in.q.start = 1; }, "takes 2 heads of width 4 from column 1 on");
  refused([](auto& in, auto&) { in.q.heads = Index{1} << 61; }, "heads of width 4");
  refused([](auto& in, auto&) { in.q.start = std::numeric_limits<Index>::max(); }, "from column");
  refused([](auto& in, auto&) { in.q.heads = 0; }, "0 heads");
  refused([](auto& in, auto&) { in.q.width = 3; }, "width 3, those of k 4");
  refused([](auto& in, auto&) { in.v.heads = 1; }, "v has 1");
  refused([](auto& in, auto&) { in.q.heads = 1; }, "cannot share");
  refused([](auto& in, auto&) { in.keys = Segments::equal(1, 4); }, "2 segments of queries but 1");
  refused([](auto& in, auto&) { in.keys = Segments::equal(2, 3); },
          "k has 4 rows, but its segments have 6");
  refused([](auto&, auto& spec) { spec.dropout.rate = 1; }, "dropout rate is 1");
  refused([](auto&, auto& spec) { spec.scale = kInfinity; }, "scale");
  refused(
      [](auto&, auto& spec) {
        spec.mask = Mask::table({5, 5}, std::vector<std::uint8_t>(25));
      },
      "broadcast");
  refused(
      [](auto& in, auto& spec) {
        in.queries = Segments::of_lengths({1, 5});
        spec.mask = Mask::table({5, 2}, std::vector<std::uint8_t>(10));
      },
      "segments of one length");
}

}  // namespace
}  // namespace regard::testing
