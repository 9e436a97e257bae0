// A model of 8-bit weights in its folder.
#include <gtest/gtest.h>

#include <algorithm>

#include "regard/base/check.h"
#include "tests/model/model_folder_testing.h"
#include "tests/model/sequence_model_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::same_bits;
using testing::save_model;
using testing::ScratchFolder;
using testing::some_info;
using testing::some_sentences;
using testing::some_sources;

/// What the refusal of a folder says.
std::string refusal(const std::string& folder) {
  try {
    load_translator(folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
    return error.what();
  }
  return "";
}

TEST(Int8Folder, GivesBackTheModelThatWasSaved) {
  testing::law("int8: saved and loaded", 36, [](Draw& draw) {
    const ModelInfo info = some_info(draw);
    SCOPED_TRACE(testing::title(info.spec));
    const auto model = make_sequence_model(info.spec, draw.rng("model"));
    testing::randomise(*model, draw.rng("parameters"));
    const Index parameters = parameter_count(*model);
    model->quantise();
    const ScratchFolder folder;
    save_model(folder.path(), info, *model);
    const LoadedModel loaded = load_translator(folder.path());
    EXPECT_EQ(loaded.weights, Dtype::i8);
    EXPECT_EQ(parameter_count(*loaded.model), parameters);
    model->pack();
    const NoGrad quiet;
    const TokenIds sources = TokenIds::ragged(some_sources(draw, info.spec, 3, 0, 6));
    const TokenIds said = TokenIds::ragged(some_sentences(draw, 3, 1, 6));
    const Tensor rows = model->forward(sources, said, {}).value();
    EXPECT_TRUE(same_bits(loaded.model->forward(sources, said, {}).value(), rows));
    EXPECT_TRUE(same_bits(loaded.model->output().log_probabilities(rows),
                          model->output().log_probabilities(rows)));
  });
}

TEST(Int8Folder, StaysNearTheModelItWas) {
  testing::law("int8 is near f32", 12, [](Draw& draw) {
    const ModelInfo info = some_info(draw);
    SCOPED_TRACE(testing::title(info.spec));
    const auto exact = make_sequence_model(info.spec, draw.rng("model"));
    const auto rounded = make_sequence_model(info.spec, draw.rng("model"));
    rounded->quantise();
    rounded->pack();
    const NoGrad quiet;
    const TokenIds sources = TokenIds::ragged(some_sources(draw, info.spec, 3, 1, 6));
    const TokenIds said = TokenIds::ragged(some_sentences(draw, 3, 1, 6));
    const std::vector<double> a = exact->forward(sources, said, {}).value().values();
    const std::vector<double> b = rounded->forward(sources, said, {}).value().values();
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      difference += (a[i] - b[i]) * (a[i] - b[i]);
      size += a[i] * a[i];
    }
    EXPECT_GT(difference, 0);
    EXPECT_LT(difference, 0.05 * 0.05 * size);
  });
}

TEST(Int8Folder, IsNotForLearning) {
  Draw draw(Rng(1), 0);
  const ModelInfo info = some_info(draw);
  const auto model = make_sequence_model(info.spec, Rng(1));
  model->quantise();
  const ScratchFolder folder;
  save_model(folder.path(), info, *model);
  EXPECT_THROW(load_model(folder.path()), Error);
}

TEST(Int8Folder, RefusesWhatIsDamaged) {
  Draw draw(Rng(1), 0);
  const ModelInfo info = some_info(draw);
  const auto damaged = [&](auto&& change) {
    const auto model = make_sequence_model(info.spec, Rng(1));
    model->quantise();
    std::vector<NamedParameter> parameters = parameters_of(*model);
    change(parameters);
    const ScratchFolder folder;
    save_info(folder.path(), info);
    save_weights(folder.path() + "/" + std::string(kWeightsFile), parameters);
    return refusal(folder.path());
  };
  EXPECT_EQ(damaged([](auto&) {}), "");
  const auto is_scale = [](const NamedParameter& p) { return p.name.ends_with("table_scale"); };
  EXPECT_NE(damaged([&](auto& all) { std::erase_if(all, is_scale); }).find("holds"),
            std::string::npos);
  EXPECT_NE(damaged([&](auto& all) {
              std::ranges::find_if(all, is_scale)->parameter = Var(Tensor({1000}));
            }).find("table_scale' has shape [1000]"),
            std::string::npos);
  EXPECT_NE(damaged([&](auto& all) {
              Tensor table = std::ranges::find(all, Dtype::i8, [](const NamedParameter& p) {
                               return p.parameter.dtype();
                             })->parameter.value();
              table.span<std::int8_t>()[0] = -128;
            }).find("holds -128, expected -127 to 127"),
            std::string::npos);
}

}  // namespace
}  // namespace regard
