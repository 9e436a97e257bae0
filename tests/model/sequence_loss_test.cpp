// Any architecture from ids to one number, and what it refuses to be made of.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tests/model/architectures.h"
#include "tests/model/sequence_model_testing.h"
#include "tests/ops/expect_error.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::Ids;

constexpr CrossEntropySpec kSmoothed{.label_smoothing = 0.1};

ModelSpec any_spec(Draw& draw) {
  return testing::some_spec_of(draw, testing::choosing_architectures());
}

/// Each parameter's gradient along a random direction of length 1, dropout on, tables tied or not.
TEST(ModelLoss, HasTheGradientOfFiniteDifferences) {
  testing::law("every parameter", 24, [](Draw& draw) {
    const ModelSpec spec = any_spec(draw);
    SCOPED_TRACE(testing::title(spec));
    const auto model = make_model(spec, draw.rng("model"), Dtype::f64);
    const testing::Examples examples = testing::some_examples(draw, spec, 3, 0, 5);
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    const auto loss = [&] { return testing::ask(*model, examples, pass).loss(kSmoothed); };
    backward(loss());
    std::size_t reached = 0;
    model->each([&](const std::string& name, Var& parameter) {
      const Tensor start = parameter.value();
      Tensor d = Tensor::uniform(start.shape(), draw.rng(name), Dtype::f64, -1, 1);
      const double length = std::sqrt(testing::inner_product(d, d));
      const auto loss_at = [&](double step) {
        const NoGrad quiet;
        parameter.set_value(testing::moved(start, d, step / length));
        return loss().value().item();
      };
      const double expected =
          parameter.has_grad() ? testing::inner_product(parameter.grad(), d) / length : 0;
      EXPECT_LE(testing::slope_error(loss_at, expected), 1e-9) << name;
      parameter.set_value(start);
      reached += parameter.has_grad() && expected != 0;
    });
    EXPECT_GT(reached, 5U);
  });
}

/// An example alone gives the rows that it gives among others.
TEST(ModelLoss, ReadsAnExampleAloneAsInAnyBatch) {
  testing::law("alone", 60, [](Draw& draw) {
    const ModelSpec spec = any_spec(draw);
    SCOPED_TRACE(testing::title(spec));
    const auto model = make_model(spec, draw.rng("model"));
    testing::randomise(*model, draw.rng("parameters"));
    const testing::Examples examples = testing::some_examples(draw, spec, 4, 0, 6);
    const testing::Answer all = testing::ask(*model, examples);
    Index row = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      const testing::Answer one =
          testing::ask(*model, {{examples.sources[b]}, {examples.targets[b]}});
      EXPECT_TRUE(testing::same_bits(
          one.rows.value(), testing::some_rows(all.rows.value(), row, all.rows_of_each[b])))
          << "example " << b;
      row += all.rows_of_each[b];
    }
  });
}

/// Packed, it gives the same bits.
TEST(ModelLoss, OfAPackedModelHasTheSameRows) {
  testing::law("packed", 40, [](Draw& draw) {
    const ModelSpec spec = any_spec(draw);
    SCOPED_TRACE(testing::title(spec));
    const auto plain = make_model(spec, draw.rng("model")),
               packed = make_model(spec, draw.rng("model"));
    packed->pack();
    const testing::Examples examples = testing::some_examples(draw, spec, 3, 0, 6);
    const NoGrad quiet;
    EXPECT_TRUE(testing::same_bits(testing::ask(*plain, examples).rows.value(),
                                   testing::ask(*packed, examples).rows.value()));
  });
}

/// Rows of variance 1 against a table of variance 1 / D give logits of variance 1, which cost
/// about 1/2 more than ln V.
TEST(SequenceLoss, StartsNearThatOfAGuess) {
  testing::law("ln V", 12, [](Draw& draw) {
    ModelSpec spec = testing::some_model_spec(draw);
    SCOPED_TRACE(testing::title(spec));
    spec.source_vocabulary = spec.target_vocabulary = 2000;
    spec.heads = 4;
    spec.width = spec.hidden = 16;
    const auto model = make_sequence_model(spec, draw.rng("model"));
    const Ids sources = some_sources(draw, spec, 20, 12, 12);
    Ids targets(20);
    for (std::vector<std::int32_t>& target : targets)
      for (int t = 0; t < 12; ++t)
        target.push_back(static_cast<std::int32_t>(draw.integer(0, 1999)));
    const Var rows = model->forward(TokenIds::ragged(sources), TokenIds::ragged(targets), {});
    std::vector<std::int32_t> next;  // tokens that the rows know nothing of
    for (Index n = 0; n < rows.size(0); ++n)
      next.push_back(static_cast<std::int32_t>(draw.integer(0, 1999)));
    const double mean = 1 / static_cast<double>(next.size());
    EXPECT_NEAR(model->output().loss(rows, next, {}, mean).loss.value().item(), std::log(2000.0),
                0.8);
  });
}

TEST(ModelLoss, HasTheSameBitsInEverySetting) {
  testing::law("settings", static_cast<int>(all_architectures().size()), [](Draw& draw) {
    const ModelSpec spec = any_spec(draw);
    SCOPED_TRACE(testing::title(spec));
    const auto model = make_model(spec, draw.rng("model"));
    const testing::Examples examples = testing::some_examples(draw, spec, 9, 1, 9);
    const auto run = [&] {
      const Var loss = testing::ask(*model, examples, {.training = true, .rng = draw.rng("pass")})
                           .loss(kSmoothed);
      backward(loss);
      std::vector<Tensor> results{loss.value()};
      for (const Var& parameter : testing::parameters(*model)) {
        results.push_back(parameter.has_grad() ? parameter.grad() : Tensor());
        parameter.clear_grad();
      }
      return results;
    };
    const std::vector<Tensor> expected = run();
    testing::in_every_setting([&](const std::string& what) {
      const std::vector<Tensor> got = run();
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(testing::same_bits(got[i], expected[i])) << what << " " << i;
    });
  });
}

TEST(SequenceModel, NamesEachParameterOnce) {
  testing::law("names", 60, [](Draw& draw) {
    ModelSpec spec = testing::some_model_spec(draw);
    SCOPED_TRACE(testing::title(spec));
    const auto count_when = [&](const std::string& tied) {
      spec.tied = tied;
      const auto model = make_sequence_model(spec, Rng(1));
      std::set<std::string> names;
      std::vector<Var> seen;
      model->each([&](const std::string& name, Var& parameter) {
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(std::ranges::find(seen, parameter), seen.end()) << name;
        seen.push_back(parameter);
      });
      return parameter_count(*model);
    };
    const Index none = count_when("none"), table = 11 * spec.width;
    EXPECT_EQ(count_when("target"), none - table);
    const bool source = find_architecture(spec.architecture).uses("source_vocabulary");
    EXPECT_EQ(count_when("all"), none - (source ? 2 : 1) * table);
  });
}

TEST(MakeModel, IsTheSameModelForTheSameSeed) {
  testing::law("seed", 24, [](Draw& draw) {
    const ModelSpec spec = any_spec(draw);
    const auto a = make_model(spec, Rng(3)), b = make_model(spec, Rng(3)),
               c = make_model(spec, Rng(4));
    const std::vector<Var> first = testing::parameters(*a), second = testing::parameters(*b);
    bool other = false;
    for (std::size_t i = 0; i < first.size(); ++i) {
      EXPECT_TRUE(testing::same_bits(first[i].value(), second[i].value()));
      other |= !testing::same_bits(first[i].value(), testing::parameters(*c)[i].value());
    }
    EXPECT_TRUE(other);
  });
}

TEST(MakeModel, RefusesNonsenseByName) {
  const auto refuse = [](const std::string& pattern, auto change) {
    for (const Architecture* architecture : all_architectures()) {
      if (!architecture->translates()) continue;
      ModelSpec spec{.architecture = std::string(architecture->name),
                     .source_vocabulary = 5,
                     .target_vocabulary = 5,
                     .width = 8,
                     .hidden = 8,
                     .heads = 2,
                     .encoder_layers = 1,
                     .decoder_layers = 1};
      change(spec);
      expect_error(pattern, [&] { make_sequence_model(spec, Rng(1)); });
    }
  };
  refuse("vocabular", [](ModelSpec& spec) { spec.source_vocabulary = 0; });
  refuse("'adittive'.*additive", [](ModelSpec& spec) { spec.mechanism = "adittive"; });
  refuse("tied is 'both'", [](ModelSpec& spec) { spec.tied = "both"; });
  refuse("5 source and 6 target.*tied", [](ModelSpec& spec) { spec.target_vocabulary = 6; });
  refuse("'convolution'", [](ModelSpec& spec) { spec.architecture = "convolution"; });
  refuse("0 layers", [](ModelSpec& spec) { spec.encoder_layers = spec.decoder_layers = 0; });
  refuse("3 .*heads|heads.* 3", [](ModelSpec& spec) {
    spec.architecture = "transformer";
    spec.heads = 3;
  });
  refuse("model.cross_heads is 3.*d_model 8", [](ModelSpec& spec) {
    spec.architecture = "transformer";
    spec.cross.heads = 3;
  });
  refuse("model.encoder_heads is 1.*kv_heads 2", [](ModelSpec& spec) {
    spec.architecture = "transformer";
    spec.kv_heads = 2;
    spec.encoder.heads = 1;
  });
  refuse("model.decoder_attention: .*'adittive'.*additive", [](ModelSpec& spec) {
    spec.architecture = "transformer";
    spec.decoder.mechanism = "adittive";
  });
  refuse("encoder_layers and decoder_layers", [](ModelSpec& spec) {
    spec.architecture = "bahdanau";
    spec.decoder_layers = 2;
  });
  refuse("position", [](ModelSpec& spec) {
    spec.architecture = "transformer";
    spec.position = "sinusodal";
  });
  expect_error("preset 'huge'", [] { preset("huge"); });
}

}  // namespace
}  // namespace regard
