// A whole model, from ids to one number: encoder, decoder, the table of embeddings as output layer,
// cross-entropy with label smoothing.
#include <gtest/gtest.h>

#include <cmath>

#include "regard/autograd/checkpoint.h"
#include "regard/ops/cross_entropy.h"
#include "regard/ops/matmul.h"
#include "regard/ops/scale.h"
#include "tests/block/layer_testing.h"
#include "tests/model/model_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;

struct Translator {
  Encoder encoder;
  Decoder decoder;

  Translator(const TransformerSpec& spec, Rng rng)
      : encoder(spec, rng.fork("encoder")), decoder(spec, rng.fork("decoder")) {
    encoder.embed.table = decoder.embed.table;
  }

  /// Each parameter once; one table serves the source, the target and the output layer.
  std::vector<Var> parameters() {
    std::vector<Var> found;
    each_parameter(encoder, [&](const std::string& path, Var& p) {
      if (path != "embed.table") found.push_back(p);
    });
    each_parameter(decoder, [&](const std::string&, Var& p) { found.push_back(p); });
    return found;
  }

  /// The mean over all tokens; each predicts itself, which is as good a target as any.
  Var loss(const Ids& sources, const Ids& targets, const Pass& pass) const {
    const TokenIds tokens = TokenIds::ragged(targets);
    const Var rows =
        decoder(tokens, encoder.source(TokenIds::ragged(sources), pass.inside("source")),
                pass.inside("target"));                                 // [N, D]
    const Var logits = matmul(rows, decoder.embed.table, {.b = true});  // [N, V]
    return cross_entropy(logits, tokens.ids, {.label_smoothing = 0.1});
  }
};

/// The slope of L(theta + eps d) at eps = 0 is <g, d>, along random directions of length 1 over
/// all parameters at once.
TEST(Loss, ChangesAlongAnyDirectionAsItsGradientSays) {
  testing::law("direction", 100, [](Draw& draw) {
    const TransformerSpec spec = testing::some_spec(draw, Dtype::f64);
    Translator model(spec, draw.rng("model"));
    const Ids sources = testing::some_sentences(draw, 3, 0, 5),
              targets = testing::some_sentences(draw, 3, 1, 5);
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    backward(model.loss(sources, targets, pass));
    const std::vector<Var> parameters = model.parameters();
    std::vector<Tensor> start, direction;
    double length = 0, expected = 0;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      start.push_back(parameters[i].value());
      direction.push_back(
          Tensor::uniform(start[i].shape(), draw.rng("direction").fork(i), Dtype::f64, -1, 1));
      length += testing::inner_product(direction[i], direction[i]);
      if (parameters[i].has_grad())
        expected += testing::inner_product(parameters[i].grad(), direction[i]);
    }
    length = std::sqrt(length);
    const auto loss_at = [&](double step) {
      for (std::size_t i = 0; i < parameters.size(); ++i)
        Var(parameters[i]).set_value(testing::moved(start[i], direction[i], step / length));
      return model.loss(sources, targets, pass).value().item();
    };
    EXPECT_LE(testing::slope_error(loss_at, expected / length), 1e-9);
    EXPECT_GT(std::abs(expected), 0);
  });
}

/// Gradients of batches, each weighed by its tokens, add up to that of all in one batch.
TEST(Loss, HasAGradientThatAddsUpOverBatches) {
  testing::law("accumulation", 100, [](Draw& draw) {
    Translator model(testing::some_spec(draw, Dtype::f64), draw.rng("model"));
    const Index batches = draw.integer(2, 4);
    Ids all_sources, all_targets;
    std::vector<Ids> sources, targets;
    std::vector<double> tokens;
    double total = 0;
    for (Index i = 0; i < batches; ++i) {
      const Index count = draw.integer(1, 3);
      sources.push_back(testing::some_sentences(draw, count, 0, 4));
      targets.push_back(testing::some_sentences(draw, count, 1, 4));
      all_sources.insert(all_sources.end(), sources.back().begin(), sources.back().end());
      all_targets.insert(all_targets.end(), targets.back().begin(), targets.back().end());
      tokens.push_back(static_cast<double>(TokenIds::ragged(targets.back()).segments.rows()));
      total += tokens.back();
    }
    const auto taken = [&] {
      std::vector<Tensor> gradients;
      for (Var parameter : model.parameters()) {
        gradients.push_back(parameter.has_grad() ? parameter.grad() : Tensor());
        parameter.clear_grad();
      }
      return gradients;
    };
    backward(model.loss(all_sources, all_targets, {}));
    const std::vector<Tensor> at_once = taken();
    for (std::size_t i = 0; i < sources.size(); ++i)
      backward(scale(model.loss(sources[i], targets[i], {}), tokens[i] / total));
    const std::vector<Tensor> added_up = taken();
    for (std::size_t i = 0; i < at_once.size(); ++i)
      EXPECT_LE(testing::largest_difference(at_once[i], added_up[i]), 1e-12);
  });
}

/// Run again on the way back, a block gives the same output and gradients, dropout included.
TEST(EncoderBlock, IsTheSameToTheBitWhenRecomputed) {
  testing::law("recomputation", 100, [](Draw& draw) {
    const Index heads = draw.integer(1, 3), width = heads * 4;
    EncoderBlock block({.width = width,
                        .heads = heads,
                        .hidden = draw.integer(2, 9),
                        .pre_norm = draw.coin(),
                        .dropout = 0.2,
                        .attention_dropout = 0.2,
                        .ffn_dropout = 0.2,
                        .rng = draw.rng("parameters")});
    const Segments segments = Segments::of_lengths(testing::some_lengths(draw, 1, 6, 2));
    const Layout layout = Layout::self(segments);
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    const Tensor rows = Tensor::uniform({segments.rows(), width}, draw.rng("x"));
    const Tensor dy = Tensor::uniform(rows.shape(), draw.rng("dy"));
    std::vector<Var> parameters;
    each_parameter(block, [&](const std::string&, Var& p) { parameters.push_back(p); });
    const auto run = [&](bool again) {
      const Var x(rows, true);
      const auto forward = [&](const Var& z) { return block(z, layout, pass); };
      const Var y = again ? checkpoint(forward, x, parameters) : forward(x);
      backward(y, dy);
      std::vector<Tensor> results{y.value(), x.grad()};
      for (Var& parameter : parameters) {
        results.push_back(parameter.grad());
        parameter.clear_grad();
      }
      return results;
    };
    const std::vector<Tensor> plain = run(false), recomputed = run(true);
    for (std::size_t i = 0; i < plain.size(); ++i)
      EXPECT_TRUE(testing::same_bits(plain[i], recomputed[i])) << i;
  });
}

/// The least a model must do: learn one small batch by heart.
TEST(Loss, FallsToItsFloorOnOneBatch) {
  Translator model({.vocabulary = 11,
                    .width = 16,
                    .heads = 2,
                    .hidden = 32,
                    .layers = 1,
                    .dropout = 0,
                    .attention_dropout = 0,
                    .dtype = Dtype::f64},
                   Rng(1));
  const Ids sources{{1, 2, 3}, {4, 5}}, targets{{6, 7, 8, 9}, {10, 6, 1}};
  const double floor =
      -(0.9 + 0.1 / 11) * std::log(0.9 + 0.1 / 11) - 0.1 / 11 * 10 * std::log(0.1 / 11);
  double loss = 0;
  for (int step = 0; step < 200; ++step) {
    const Var now = model.loss(sources, targets, {});
    loss = now.value().item();
    backward(now);
    for (Var parameter : model.parameters()) {
      parameter.set_value(testing::moved(parameter.value(), parameter.grad(), -0.1));
      parameter.clear_grad();
    }
  }
  EXPECT_GE(loss, floor);
  EXPECT_LE(loss, floor + 0.1);
}

}  // namespace
}  // namespace regard
