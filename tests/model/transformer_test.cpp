#include "regard/model/transformer.h"

#include <gtest/gtest.h>

#include <limits>

#include "regard/ops/concat.h"
#include "regard/ops/slice.h"
#include "tests/block/layer_testing.h"
#include "tests/model/model_testing.h"

namespace regard {
namespace {

using testing::boxed;
using testing::Draw;
using testing::Ids;

TEST(Encoder, KeepsTheShapeOfTheTextbook) {
  const Encoder encoder({.vocabulary = 200, .width = 24, .heads = 8, .hidden = 48, .layers = 2},
                        Rng(1));
  const TokenIds tokens = TokenIds::box(std::vector<std::int32_t>(200, 1), 2, {3, 2});
  EXPECT_EQ(encoder(tokens, {}).shape(), (Shape{2, 100, 24}));
}

TEST(Decoder, KeepsTheShapeOfTheTextbook) {
  const TransformerSpec spec{.vocabulary = 200, .width = 24, .heads = 8, .hidden = 48, .layers = 2};
  const std::vector<std::int32_t> ids(200, 1);
  const EncoderOutput source = Encoder(spec, Rng(1)).source(TokenIds::box(ids, 2, {3, 2}), {});
  const Decoder decoder(spec, Rng(2));
  EXPECT_EQ(decoder(TokenIds::box(ids, 2), source, {}).shape(), (Shape{2, 100, 24}));
}

/// A sentence alone = in a ragged batch = in a box, bit for bit, whatever fills the box.
TEST(Encoder, GivesASentenceTheSameBitsInAnyBatch) {
  testing::law("batch", 100, [](Draw& draw) {
    const Encoder encoder(testing::some_spec(draw), draw.rng("model"));
    const Ids sentences = testing::some_sentences(draw, 3, 0, 6);
    const Tensor ragged = encoder(TokenIds::ragged(sentences), {}).value();
    const Tensor box = encoder(boxed(sentences, 7, 0), {}).value();
    const Tensor other = encoder(boxed(sentences, 7, 5), {}).value();
    Index begin = 0;
    for (std::size_t b = 0; b < 3; ++b) {
      const auto count = static_cast<Index>(sentences[b].size());
      const Tensor expected = testing::some_rows(ragged, begin, count);
      const Tensor alone = encoder(TokenIds::ragged({sentences[b]}), {}).value();
      EXPECT_TRUE(testing::same_bits(alone, expected));
      EXPECT_TRUE(
          testing::same_bits(testing::some_rows(box, static_cast<Index>(b) * 7, count), expected));
      EXPECT_TRUE(testing::same_bits(testing::some_rows(other, static_cast<Index>(b) * 7, count),
                                     expected));
      begin += count;
    }
  });
}

/// Change any token, and every row changes: an encoder sees what follows as well.
TEST(Encoder, SeesEverything) {
  testing::law("encoder", 100, [](Draw& draw) {
    const Encoder encoder(testing::some_spec(draw), draw.rng("model"));
    const Index T = draw.integer(2, 9), changed = draw.integer(0, T - 1);
    const Ids given = testing::some_sentences(draw, 1, T, T);
    Ids other = given;
    std::int32_t& token = other[0][static_cast<std::size_t>(changed)];
    token = (token + 1) % 10;
    const Tensor a = encoder(TokenIds::ragged(given), {}).value();
    const Tensor b = encoder(TokenIds::ragged(other), {}).value();
    for (Index t = 0; t < T; ++t)
      EXPECT_FALSE(testing::same_bits(testing::some_rows(a, t, 1), testing::some_rows(b, t, 1)))
          << "row " << t << ", changed " << changed;
  });
}

/// The embedding of id 10, the last, is no number.
void spoil_last(TokenEmbedding& embed) {
  Tensor table = embed.table.value().clone();
  const auto width = static_cast<std::size_t>(table.size(1));
  std::ranges::fill(table.span<f32>().last(width), std::numeric_limits<f32>::quiet_NaN());
  embed.table.set_value(table);
}

/// A layer with a window: what is farther away is not read, not even if it is no number.
TEST(Window, HidesWhatIsFarther) {
  testing::law("window", 100, [](Draw& draw) {
    TransformerSpec spec = testing::some_spec(draw);
    spec.layers = 1;
    spec.cross = false;
    spec.window = draw.integer(1, 4);
    Encoder encoder(spec, draw.rng("encoder"));
    Decoder decoder(spec, draw.rng("decoder"));
    spoil_last(encoder.embed);
    spoil_last(decoder.embed);
    const Index T = draw.integer(1, 12), changed = draw.integer(0, T - 1);
    Ids given = testing::some_sentences(draw, 1, T, T);
    for (std::int32_t& id : given[0]) id %= 10;
    Ids other = given;
    std::int32_t& token = other[0][static_cast<std::size_t>(changed)];
    token = draw.coin() ? 10 : (token + 1) % 10;
    const EncoderOutput nothing{.rows = {}, .segments = Segments::of_lengths({0})};
    const Tensor a = encoder(TokenIds::ragged(given), {}).value();
    const Tensor b = encoder(TokenIds::ragged(other), {}).value();
    const Tensor c = decoder(TokenIds::ragged(given), nothing, {}).value();
    const Tensor d = decoder(TokenIds::ragged(other), nothing, {}).value();
    for (Index t = 0; t < T; ++t) {
      const auto same = [&](const Tensor& x, const Tensor& y) {
        return testing::same_bits(testing::some_rows(x, t, 1), testing::some_rows(y, t, 1));
      };
      const bool sees = std::abs(t - changed) <= spec.window;
      EXPECT_EQ(same(a, b), !sees) << "row " << t << ", changed " << changed;
      EXPECT_EQ(same(c, d), !sees || changed > t) << "row " << t << ", changed " << changed;
    }
  });
}

/// The decoder's outputs for `target`, one sentence, all at once.
Tensor decoded(const Decoder& decoder, const std::vector<std::int32_t>& target,
               const EncoderOutput& source) {
  return decoder(TokenIds::ragged({target}), source, {}).value();
}

/// No future token can reach a prediction: change token t + 1, to another or to one whose embedding
/// is NaN, and outputs up to t do not change by a bit.
TEST(Decoder, NeverSeesTheFuture) {
  testing::law("causality", 100, [](Draw& draw) {
    const TransformerSpec spec = testing::some_spec(draw);
    const Encoder encoder(spec, draw.rng("encoder"));
    Decoder decoder(spec, draw.rng("decoder"));
    spoil_last(decoder.embed);
    const EncoderOutput source =
        encoder.source(TokenIds::ragged(testing::some_sentences(draw, 1, 1, 5)), {});
    std::vector<std::int32_t> target;
    for (Index t = draw.integer(2, 7); t-- > 0;)
      target.push_back(static_cast<std::int32_t>(draw.integer(0, 9)));
    const Tensor before = decoded(decoder, target, source);
    const Index t = draw.integer(0, static_cast<Index>(target.size()) - 2);
    std::vector<std::int32_t> changed = target;
    std::int32_t& next = changed[static_cast<std::size_t>(t + 1)];
    next = draw.coin() ? 10 : (next + 1) % 10;
    const Tensor after = decoded(decoder, changed, source);
    EXPECT_TRUE(testing::same_bits(testing::some_rows(before, 0, t + 1),
                                   testing::some_rows(after, 0, t + 1)));
    EXPECT_FALSE(testing::same_bits(testing::some_rows(before, t + 1, 1),
                                    testing::some_rows(after, t + 1, 1)));
    changed.resize(static_cast<std::size_t>(t + 1));
    EXPECT_TRUE(testing::same_bits(testing::some_rows(before, 0, t + 1),
                                   decoded(decoder, changed, source)));
  });
}

/// Source tokens beyond the valid length are never read, not even NaN.
TEST(Decoder, NeverSeesThePaddingOfItsSource) {
  testing::law("padding", 100, [](Draw& draw) {
    const TransformerSpec spec = testing::some_spec(draw);
    Encoder encoder(spec, draw.rng("encoder"));
    const Decoder decoder(spec, draw.rng("decoder"));
    Ids sentences = testing::some_sentences(draw, 3, 0, 5);
    for (auto& sentence : sentences)
      for (std::int32_t& id : sentence) id %= 10;
    spoil_last(encoder.embed);
    const TokenIds target = TokenIds::ragged(testing::some_sentences(draw, 3, 1, 4));
    const Tensor ragged =
        decoder(target, encoder.source(TokenIds::ragged(sentences), {}), {}).value();
    for (const std::int32_t filler : {0, 7, 10}) {
      const Tensor box =
          decoder(target, encoder.source(boxed(sentences, 6, filler), {}), {}).value();
      EXPECT_TRUE(testing::same_bits(box, ragged)) << filler;
    }
  });
}

struct Both {
  Encoder encoder;
  Decoder decoder;

  void each(auto&& visit) {
    visit("encoder", encoder);
    visit("decoder", decoder);
  }
};

/// One forward pass of a small encoder and decoder in f64, with dropout fixed by its key.
TEST(Transformer, HasTheGradientOfItsForwardPass) {
  testing::law("gradient", 100, [](Draw& draw) {
    TransformerSpec spec = testing::some_spec(draw, Dtype::f64);
    spec.layers = 1;
    spec.max_length = 6;
    spec.ffn_dropout = 0.1;
    Both model{Encoder(spec, draw.rng("encoder")), Decoder(spec, draw.rng("decoder"))};
    const TokenIds source = TokenIds::ragged({{1, 2, 3}, {4}});
    const TokenIds target = TokenIds::ragged({{5, 1}, {2, 2, 3}});
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    EXPECT_LE(testing::layer_gradient_error(model, {},
                                            [&](const std::vector<Var>&) {
                                              return model.decoder(
                                                  target, model.encoder.source(source, pass), pass);
                                            }),
              1e-7)
        << spec.position;
  });
}

TEST(Transformer, NamesItsParameters) {
  Encoder encoder({.vocabulary = 5,
                   .width = 4,
                   .heads = 2,
                   .hidden = 3,
                   .layers = 2,
                   .position = "learned",
                   .pre_norm = true},
                  Rng(1));
  std::vector<std::string> paths;
  each_parameter(encoder, [&](const std::string& path, Var&) { paths.push_back(path); });
  for (const char* path : {"embed.table", "embed.position.table", "blocks.0.self.packed.weight",
                           "blocks.1.around_feed.norm.gain", "last.shift"})
    EXPECT_NE(std::ranges::find(paths, path), paths.end()) << path;
}

TEST(Transformer, RunsInFreshNoiseOnlyWhenTraining) {
  const Encoder encoder({.vocabulary = 5, .width = 8, .heads = 2, .hidden = 6, .layers = 1},
                        Rng(1));
  const TokenIds tokens = TokenIds::ragged({{1, 2, 3}});
  const auto run = [&](bool training, std::uint64_t seed) {
    return encoder(tokens, {.training = training, .rng = Rng(seed)}).value();
  };
  EXPECT_TRUE(testing::same_bits(run(false, 1), run(false, 2)));
  EXPECT_TRUE(testing::same_bits(run(true, 1), run(true, 1)));
  EXPECT_FALSE(testing::same_bits(run(true, 1), run(true, 2)));
}

TEST(Transformer, HasAtLeastOneLayer) {
  EXPECT_THROW(Encoder({.vocabulary = 5, .width = 8, .heads = 2, .layers = 0}, Rng(1)), Error);
  EXPECT_THROW(Decoder({.vocabulary = 5, .width = 8, .heads = 2, .layers = 0}, Rng(1)), Error);
}

TEST(TokenIds, RefuseABoxThatIsNotFull) {
  EXPECT_THROW(TokenIds::box({1, 2, 3}, 2), Error);
  EXPECT_THROW(TokenIds::box({1, 2, 3, 4}, 2, {1}), Error);
}

}  // namespace
}  // namespace regard
