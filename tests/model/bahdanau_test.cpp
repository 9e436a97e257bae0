#include "regard/model/bahdanau.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/model/sequence_model_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;
using testing::some_sentences;

using Numbers = std::vector<double>;

ModelSpec recurrent_spec(Draw& draw) {
  ModelSpec spec = testing::some_model_spec(draw);
  spec.architecture = "bahdanau";
  return spec;
}

Numbers joined(const std::vector<Numbers>& parts) {
  Numbers all;
  for (const Numbers& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// The model word for word, number by number, for one sentence, with additive attention.
class Oracle {
 public:
  Oracle(SequenceModel& model, const ModelSpec& spec) : spec_(spec) {
    model.each([&](const std::string& name, Var& p) { parameters_[name] = p.value(); });
  }

  std::vector<Numbers> read(const std::vector<std::int32_t>& source,
                            const std::vector<std::int32_t>& said) const {
    std::vector<Numbers> states(static_cast<std::size_t>(spec_.encoder_layers),
                                Numbers(static_cast<std::size_t>(spec_.hidden)));
    std::vector<Numbers> outputs, rows;
    for (const std::int32_t id : source) {
      Numbers x = token(spec_.tied == "all" ? "decoder" : "encoder", id);
      for (std::size_t i = 0; i < states.size(); ++i) {
        const std::string layer = "encoder.cells.layers." + std::to_string(i);
        x = states[i] = cell(product(x, layer + ".input"), states[i], layer);
      }
      outputs.push_back(x);
    }
    for (const std::int32_t id : said) {
      const Numbers word = token("decoder", id), context = look(states.back(), outputs);
      Numbers x;
      for (std::size_t i = 0; i < states.size(); ++i) {
        const std::string layer = "decoder.cells.layers." + std::to_string(i);
        Numbers gates = product(i == 0 ? word : x, layer + ".input");
        if (i == 0) {
          const Numbers more = product(context, "decoder.context");
          for (std::size_t j = 0; j < gates.size(); ++j) gates[j] += more[j];
        }
        x = states[i] = cell(gates, states[i], layer);
      }
      rows.push_back(product(joined({x, context, word}), "decoder.readout"));
      for (double& value : rows.back()) value = std::tanh(value);
    }
    return rows;
  }

 private:
  Numbers token(const std::string& side, std::int32_t id) const {
    const Tensor& table = parameters_.at(side + ".embed.table");
    Numbers row;
    for (Index j = 0; j < spec_.width; ++j)
      row.push_back(table.at({id, j}) * std::sqrt(static_cast<double>(spec_.width)));
    return row;
  }

  /// x W, and b where the layer has one.
  Numbers product(const Numbers& x, const std::string& layer) const {
    return product(
        x, parameters_.at(layer + ".weight"),
        parameters_.contains(layer + ".bias") ? &parameters_.at(layer + ".bias") : nullptr);
  }
  static Numbers product(const Numbers& x, const Tensor& weight, const Tensor* bias = nullptr) {
    Numbers y;
    for (Index j = 0; j < weight.size(1); ++j) {
      double sum = bias ? bias->at({j}) : 0;
      for (Index i = 0; i < weight.size(0); ++i)
        sum += x[static_cast<std::size_t>(i)] * weight.at({i, j});
      y.push_back(sum);
    }
    return y;
  }

  Numbers cell(const Numbers& gx, const Numbers& h, const std::string& layer) const {
    const Numbers gh = product(h, layer + ".hidden");
    const std::size_t F = h.size();
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    Numbers next;
    for (std::size_t j = 0; j < F; ++j) {
      const double r = sigmoid(gx[j] + gh[j]), z = sigmoid(gx[F + j] + gh[F + j]);
      next.push_back((1 - z) * std::tanh(gx[2 * F + j] + r * gh[2 * F + j]) + z * h[j]);
    }
    return next;
  }

  Numbers look(const Numbers& query, const std::vector<Numbers>& outputs) const {
    const auto matrix = [&](const std::string& name) {
      const Tensor& all = parameters_.at("decoder.attention." + name);
      return all.reshaped({all.size(1), all.size(2)});
    };
    const Tensor& judge = parameters_.at("decoder.attention.judge");
    const Numbers q = product(query, matrix("query"));
    Numbers weights, context(query.size());
    double sum = 0;
    for (const Numbers& output : outputs) {
      const Numbers k = product(output, matrix("key"));
      double score = 0;
      for (std::size_t i = 0; i < q.size(); ++i)
        score += judge.at({0, static_cast<Index>(i)}) * std::tanh(q[i] + k[i]);
      weights.push_back(std::exp(score));
      sum += weights.back();
    }
    for (std::size_t s = 0; s < outputs.size(); ++s)
      for (std::size_t j = 0; j < context.size(); ++j)
        context[j] += weights[s] / sum * outputs[s][j];
    return context;
  }

  ModelSpec spec_;
  std::map<std::string, Tensor> parameters_;
};

TEST(Bahdanau, IsItsDefinition) {
  testing::law("number by number", 40, [](Draw& draw) {
    ModelSpec spec = recurrent_spec(draw);
    spec.mechanism = "additive";
    SCOPED_TRACE(testing::title(spec));
    const auto model = make_sequence_model(spec, draw.rng("model"), Dtype::f64);
    testing::randomise(*model, draw.rng("parameters"));
    const Oracle oracle(*model, spec);
    const Ids sources = some_sentences(draw, 3, 0, 5), targets = some_sentences(draw, 3, 0, 5);
    const Tensor rows =
        model->forward(TokenIds::ragged(sources), TokenIds::ragged(targets), {}).value();
    Index n = 0;
    for (std::size_t b = 0; b < 3; ++b)
      for (const Numbers& expected : oracle.read(sources[b], targets[b])) {
        for (std::size_t j = 0; j < expected.size(); ++j)
          EXPECT_NEAR(rows.at({n, static_cast<Index>(j)}), expected[j], 1e-12);
        ++n;
      }
    EXPECT_EQ(rows.size(0), n);
  });
}

/// A listener sees one matrix [T, S] a sentence, in the order the sentences came, and step by step
/// the rows of the same.
TEST(Bahdanau, ShowsWhereItLooks) {
  testing::law("captures", 60, [](Draw& draw) {
    const ModelSpec spec = recurrent_spec(draw);
    SCOPED_TRACE(testing::title(spec));
    const auto model = make_sequence_model(spec, draw.rng("model"));
    const Ids sources = some_sentences(draw, 3, 1, 5), targets = some_sentences(draw, 3, 2, 5);
    std::vector<AttentionCapture> seen;
    const Pass pass{
        .on_attention = [&](const AttentionCapture& capture) { seen.push_back(capture); }};
    const auto read = [&](const Ids& from, const Ids& said, const Pass& with) {
      return model->forward(TokenIds::ragged(from), TokenIds::ragged(said), with).value();
    };
    EXPECT_TRUE(testing::same_bits(read(sources, targets, pass), read(sources, targets, {})));
    ASSERT_EQ(seen.size(), 1U);
    const AttentionCapture all = seen[0];
    EXPECT_EQ(all.where, "decoder/0/cross");
    EXPECT_EQ(all.batch, 3);
    EXPECT_EQ(all.heads, 1);
    for (Index b = 0; b < 3; ++b) {
      const auto i = static_cast<std::size_t>(b);
      const Tensor weights = all.weights(b, 0);
      ASSERT_EQ(weights.shape(), (Shape{static_cast<Index>(targets[i].size()),
                                        static_cast<Index>(sources[i].size())}));
      EXPECT_EQ(all.scores(b, 0).shape(), weights.shape());
      for (Index t = 0; t < weights.size(0); ++t) {
        double sum = 0;
        for (Index s = 0; s < weights.size(1); ++s) sum += weights.at({t, s});
        EXPECT_NEAR(sum, 1, 1e-6);
      }
      read({sources[i]}, {targets[i]}, pass);
      EXPECT_TRUE(testing::same_bits(seen.back().weights(0, 0), weights));
    }
    seen.clear();
    const auto state = model->start(TokenIds::ragged(sources), pass);
    EXPECT_TRUE(seen.empty());
    for (Index t = 0; t < 2; ++t) {
      model->step(testing::tokens_at(targets, static_cast<std::size_t>(t)), *state, pass);
      ASSERT_EQ(seen.size(), static_cast<std::size_t>(t + 1));
      EXPECT_EQ(seen.back().where, "decoder/0/cross");
      for (Index b = 0; b < 3; ++b)
        EXPECT_TRUE(testing::same_bits(seen.back().weights(b, 0),
                                       testing::some_rows(all.weights(b, 0), t, 1)));
    }
  });
}

/// Every dropout acts, and only in training.
TEST(Bahdanau, DropsOutWhenTraining) {
  Draw draw(Rng(1), 1);
  const Ids sources = some_sentences(draw, 3, 2, 5), targets = some_sentences(draw, 3, 2, 5);
  for (const bool attention : {false, true}) {
    ModelSpec spec = recurrent_spec(draw);
    spec.mechanism = "additive";
    spec.dropout = attention ? 0 : 0.5;
    spec.attention_dropout = attention ? 0.5 : 0;
    const auto model = make_sequence_model(spec, Rng(2));
    const auto read = [&](const Pass& pass) {
      return model->forward(TokenIds::ragged(sources), TokenIds::ragged(targets), pass).value();
    };
    const Tensor trained = read({.training = true, .rng = Rng(5)});
    EXPECT_TRUE(testing::same_bits(trained, read({.training = true, .rng = Rng(5)})));
    EXPECT_FALSE(testing::same_bits(trained, read({.training = true, .rng = Rng(6)})));
    EXPECT_FALSE(testing::same_bits(trained, read({})));
    EXPECT_TRUE(testing::same_bits(read({.rng = Rng(1)}), read({})));
  }
}

TEST(Bahdanau, AnswersNothingWithNothing) {
  testing::law("no token, no source", 10, [](Draw& draw) {
    const ModelSpec spec = recurrent_spec(draw);
    const auto model = make_sequence_model(spec, draw.rng("model"));
    const auto read = [&](const Ids& sources, const Ids& targets) {
      return model->forward(TokenIds::ragged(sources), TokenIds::ragged(targets), {}).value();
    };
    EXPECT_EQ(read({{1}, {}}, {{}, {}}).shape(), (Shape{0, spec.width}));
    EXPECT_EQ(read({}, {}).shape(), (Shape{0, spec.width}));
    const Tensor y = read({{}, {}}, {{1, 2}, {3}});
    for (const double value : y.values()) EXPECT_TRUE(std::isfinite(value));
    const auto state = model->start(TokenIds::ragged({{}, {}}), {});
    const Tensor first = model->step(std::vector<std::int32_t>{1, 3}, *state, {});
    EXPECT_TRUE(testing::same_bits(testing::some_rows(first, 0, 1), testing::some_rows(y, 0, 1)));
    EXPECT_TRUE(testing::same_bits(testing::some_rows(first, 1, 1), testing::some_rows(y, 2, 1)));
  });
}

}  // namespace
}  // namespace regard
