// What continues series: patches, normalisation, quantiles, gradients, equal bits.
#include "regard/model/forecast_model.h"

#include <gtest/gtest.h>

#include "regard/model/forecasts.h"
#include "tests/block/layer_testing.h"
#include "tests/model/forecast_testing.h"
#include "tests/ops/expect_error.h"
#include "tests/support/gradcheck.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::Draw;
using testing::expect_error;
using testing::same_bits;
using testing::some_forecast_spec;

/// With every parameter drawn anew: a fresh one has a head of zeros.
ForecastModel model_of(const ModelSpec& spec, Draw& draw, Dtype dtype = Dtype::f32) {
  ForecastModel model(spec, draw.rng("model"), dtype);
  model.each([&](const std::string& name, Var& parameter) {
    parameter.set_value(
        Tensor::uniform(parameter.shape(), draw.rng("draw " + name), dtype, -0.7, 0.7));
  });
  return model;
}

Tensor some_pasts(Draw& draw, const ModelSpec& spec, Index count, Dtype dtype = Dtype::f32) {
  return Tensor::normal({count, spec.context}, draw.rng("pasts"), dtype);
}

TEST(PatchLayout, EndsWithTheContextAndLeavesNothingOut) {
  testing::law("patches", 200, [](Draw& draw) {
    ModelSpec spec;
    spec.context = draw.integer(2, 60);
    spec.patch = draw.integer(1, spec.context);
    spec.stride = draw.integer(1, spec.patch);
    const PatchLayout patches = patch_layout(spec);
    EXPECT_EQ(patches.begin(patches.count() - 1) + spec.patch, spec.context);
    EXPECT_LE(patches.begin(0), 0);
    EXPECT_GT(patches.begin(0) + spec.stride, 0) << "one patch too many";
    for (Index p = 1; p < patches.count(); ++p)
      EXPECT_EQ(patches.begin(p) - patches.begin(p - 1), spec.stride);
  });
}

TEST(ForecastModel, HasTheGradientOfFiniteDifferences) {
  testing::law("every parameter", 12, [](Draw& draw) {
    const ModelSpec spec = some_forecast_spec(draw);
    ForecastModel model = model_of(spec, draw, Dtype::f64);
    const Tensor pasts = some_pasts(draw, spec, 3, Dtype::f64);
    const Pass pass{.training = true, .rng = draw.rng("pass")};
    std::size_t reached = 0;
    model.each([&](const std::string& name, Var& parameter) {
      const Var kept = parameter;
      const auto f = [&](const Var& value) {
        parameter = value;
        return model.forward(pasts, pass);
      };
      EXPECT_LT(testing::gradient_error(f, kept.value()), 1e-6) << name;
      parameter = kept;
      ++reached;
    });
    EXPECT_GT(reached, 10U);
  });
}

TEST(ForecastModel, SaysTheSameBitsInAnyBatch) {
  testing::law("any batch", 20, [](Draw& draw) {
    const ModelSpec spec = some_forecast_spec(draw);
    const ForecastModel model = model_of(spec, draw);
    const Tensor pasts = some_pasts(draw, spec, 5);
    const Tensor said = forecasts(model, pasts);
    const Index each = said.count() / 5;
    const Tensor together = said.reshaped({5, each});
    for (Index b = 0; b < 5; ++b) {
      const Tensor alone = forecasts(model, testing::some_rows(pasts, b, 1)).reshaped({1, each});
      EXPECT_TRUE(same_bits(alone, testing::some_rows(together, b, 1)));
    }
  });
}

TEST(ForecastModel, SaysTheSameBitsInEverySettingAndPacked) {
  testing::law("any setting", 3, [](Draw& draw) {
    const ModelSpec spec = some_forecast_spec(draw);
    ForecastModel model = model_of(spec, draw), packed = model_of(spec, draw);
    const Tensor pasts = some_pasts(draw, spec, 40);
    const Tensor expected = forecasts(model, pasts);
    packed.pack();
    EXPECT_TRUE(same_bits(forecasts(packed, pasts), expected));
    testing::in_every_setting([&](const std::string& what) {
      EXPECT_TRUE(same_bits(forecasts(model, pasts), expected)) << what;
    });
  });
}

/// A series in other units is forecast in those units.
TEST(ForecastModel, FollowsTheUnitsOfTheSeries) {
  testing::law("units", 20, [](Draw& draw) {
    const ModelSpec spec = some_forecast_spec(draw);
    const ForecastModel model = model_of(spec, draw, Dtype::f64);
    const Tensor pasts = some_pasts(draw, spec, 2, Dtype::f64);
    Tensor others = pasts.clone();
    const double factor = 1 + static_cast<double>(draw.integer(1, 9)),
                 more = static_cast<double>(draw.integer(-9, 9));
    for (double& x : others.span<double>()) x = factor * x + more;
    const Tensor said = model.forward(pasts, {}).value(), other = model.forward(others, {}).value();
    for (std::size_t i = 0; i < said.span<double>().size(); ++i)
      EXPECT_NEAR(other.span<double>()[i], factor * said.span<double>()[i] + more, 1e-3 * factor);
  });
}

TEST(ForecastModel, SaysTheMeanOfTheWindowBeforeItHasLearned) {
  const ModelSpec spec{.width = 4,
                       .hidden = 4,
                       .heads = 2,
                       .encoder_layers = 1,
                       .context = 8,
                       .horizon = 3,
                       .patch = 4,
                       .stride = 2};
  const ForecastModel model(spec, Rng(1), Dtype::f32);
  for (const double value : forecasts(model, Tensor::full({1, 8}, 5)).values()) EXPECT_EQ(value, 5);
  for (const double value : forecasts(model, Tensor::arange({1, 8})).values())
    EXPECT_EQ(value, 3.5);
}

/// A fresh model that begins as a linear map says what the map says.
TEST(ForecastModel, BeginsAsALinearMap) {
  testing::law("linear map", 20, [](Draw& draw) {
    const ModelSpec spec = some_forecast_spec(draw);
    ForecastModel model(spec, draw.rng("model"), Dtype::f64);
    const Tensor W = Tensor::normal({spec.context, spec.horizon}, draw.rng("W"), Dtype::f64, 0.1);
    model.begin_as(W.span<double>());
    const Tensor pasts = some_pasts(draw, spec, 2, Dtype::f64);
    const Tensor said = model.forward(pasts, {}).value();
    for (Index b = 0; b < 2; ++b)
      for (Index h = 0; h < spec.horizon; ++h) {
        const double last = pasts.at({b, spec.context - 1});
        double expected = last;
        for (Index c = 0; c < spec.context; ++c)
          expected += (pasts.at({b, c}) - last) * W.at({c, h});
        for (Index q = 0; q < said.size(1); ++q) EXPECT_NEAR(said.at({b, q, h}), expected, 1e-10);
      }
  });
  ForecastModel model({}, Rng(1), Dtype::f32);
  expect_error("a linear map of 2 weights, expected 32256",
               [&] { model.begin_as(std::vector<double>(2)); });
}

TEST(ForecastModel, SeesNoLaterPatchWhereItIsCausal) {
  testing::law("causal", 12, [](Draw& draw) {
    ModelSpec spec = some_forecast_spec(draw);
    spec.causal = draw.coin();
    const ForecastModel model = model_of(spec, draw);
    Index looked = 0;
    model.forward(some_pasts(draw, spec, 1), {.on_attention = [&](const AttentionCapture& capture) {
                    ++looked;
                    const Tensor weights = capture.weights(0, 0);
                    double later = 0;
                    for (Index t = 0; t < weights.size(0); ++t)
                      for (Index s = t + 1; s < weights.size(1); ++s) later += weights.at({t, s});
                    const bool none = spec.causal || weights.size(0) == 1;
                    EXPECT_EQ(later == 0, none);
                  }});
    EXPECT_EQ(looked, spec.encoder_layers);
  });
}

TEST(ForecastModel, HasQuantilesThatDoNotCross) {
  testing::law("quantiles", 20, [](Draw& draw) {
    ModelSpec spec = some_forecast_spec(draw);
    spec.quantiles = "0.1,0.5,0.8";
    const ForecastModel model = model_of(spec, draw);
    EXPECT_EQ(model.levels(), (std::vector<double>{0.1, 0.5, 0.8}));
    EXPECT_EQ(middle_level(model.levels()), 1);
    const Tensor said = forecasts(model, some_pasts(draw, spec, 2));
    ASSERT_EQ(said.shape(), (Shape{2, 3, spec.horizon}));
    for (Index b = 0; b < 2; ++b)
      for (Index h = 0; h < spec.horizon; ++h)
        for (Index q = 1; q < 3; ++q) EXPECT_LE(said.at({b, q - 1, h}), said.at({b, q, h}));
  });
}

TEST(ForecastModel, RefusesNonsenseByName) {
  const auto refuse = [](const std::string& pattern, auto change) {
    ModelSpec spec;
    change(spec);
    expect_error(pattern, [&] { ForecastModel(spec, Rng(1), Dtype::f32); });
  };
  refuse("model.patch is 400, longer than model.context, 336",
         [](ModelSpec& spec) { spec.patch = 400; });
  refuse("model.stride is 17, longer than model.patch, 16",
         [](ModelSpec& spec) { spec.stride = 17; });
  for (const char* bad : {"0.5,0.1", "0", "1", "0.1,", "half", "0.1 0.5", "nan"})
    refuse("model.quantiles is '.*', expected numbers between 0 and 1 that rise",
           [&](ModelSpec& spec) { spec.quantiles = bad; });
  const ForecastModel model({.context = 336}, Rng(1), Dtype::f32);
  expect_error("expected \\[windows, 336\\]", [&] { model.forward(Tensor({2, 300}), {}); });
}

}  // namespace
}  // namespace regard
