// How large a model is, is known before there is memory for it.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "regard/base/check.h"
#include "regard/base/memory_left.h"
#include "regard/tensor/memory.h"
#include "tests/model/architectures.h"
#include "tests/model/model_folder_testing.h"
#include "tests/model/sequence_model_testing.h"

namespace regard {
namespace {

using testing::Draw;

std::vector<std::pair<std::string, Shape>> shapes_of(Model& model) {
  std::vector<std::pair<std::string, Shape>> shapes;
  for (const NamedParameter& each : parameters_of(model))
    shapes.emplace_back(each.name, each.parameter.shape());
  return shapes;
}

TEST(ModelOutline, HasTheParametersOfTheModelAndNoMemory) {
  testing::law("outlines", 60, [](Draw& draw) {
    const ModelSpec spec = testing::some_spec_of(draw, all_architectures());
    SCOPED_TRACE(testing::title(spec));
    const std::size_t before = heap().live();
    std::unique_ptr<Model> outline;
    {
      const Outline only;
      outline = make_model(spec, Rng(0));
    }
    EXPECT_EQ(heap().live(), before);
    const auto model = make_model(spec, Rng(0));
    EXPECT_EQ(shapes_of(*outline), shapes_of(*model));
    EXPECT_EQ(parameter_count(*outline), parameter_count(*model));
  });
}

TEST(ModelOutline, OfTheLargestSettingsCostsNothing) {
  for (const Architecture* architecture : testing::generating_architectures()) {
    const Outline only;
    const auto model = make_model({.architecture = std::string(architecture->name),
                                   .source_vocabulary = 1 << 24,
                                   .target_vocabulary = 1 << 24,
                                   .width = 1 << 16,
                                   .hidden = 1 << 18,
                                   .encoder_layers = 256,
                                   .decoder_layers = 256,
                                   .position = "learned",
                                   .mechanism = "scaled-dot",
                                   .tied = "none",
                                   .max_length = 1 << 20},
                                  Rng(0));
    EXPECT_GT(parameter_count(*model), Index{1} << 42);
  }
}

ModelInfo plain_card(Index source_words) {
  ModelInfo info;
  info.spec = {.source_vocabulary = source_words,
               .target_vocabulary = 13,
               .width = 64,
               .hidden = 16,
               .heads = 2,
               .encoder_layers = 1,
               .decoder_layers = 1,
               .tied = "none"};
  info.source = testing::words_of(source_words);
  info.target = testing::words_of(13);
  return info;
}

Error refusal_of(const std::string& folder) {
  try {
    load_model(folder);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "loaded";
  return {Fault::bug, "none", __FILE__, __LINE__};
}

// covers MJ1: every table counts, the source's too
TEST(ModelFolder, TakesNoMemoryForWhatTheFileDoesNotHold) {
  const testing::ScratchFolder folder;
  const ModelInfo small = plain_card(11), large = plain_card(50'000);
  const auto model = make_sequence_model(small.spec, Rng(1));
  testing::save_model(folder.path(), small, *model);
  save_info(folder.path(), large);
  heap().forget_peak();
  const std::size_t before = heap().peak();
  EXPECT_EQ(refusal_of(folder.path()).fault, Fault::input);
  EXPECT_LT(heap().peak(), before + (1 << 20)) << "the table alone has 12 MiB";
}

// covers MJ1: as many numbers as described, in tensors of another shape
TEST(ModelFolder, TakesNoMemoryForTensorsOfAnotherShape) {
  const testing::ScratchFolder folder;
  const ModelInfo info = plain_card(50'000);
  save_info(folder.path(), info);
  const std::vector<std::byte> zeros(2 * (50'000 + 1000) * 64);
  write_safetensors(folder.path() + "/" + std::string(kWeightsFile),
                    {SafetensorsItem("other", "F16", {51'000, 64}, zeros)});
  heap().forget_peak();
  const std::size_t before = heap().peak();
  const Error refused = refusal_of(folder.path());
  EXPECT_EQ(refused.fault, Fault::input);
  EXPECT_NE(std::string(refused.what()).find("'other' is in no such model"), std::string::npos);
  EXPECT_LT(heap().peak(), before + (1 << 20));
}

TEST(MemoryLeft, IsAskedBeforeItIsTaken) {  // covers MJ1
  ASSERT_TRUE(memory_left().has_value());
  EXPECT_NO_THROW(check_memory("little", 1, "rest"));
  try {
    check_memory("the sky", 1e18, "look at less of it");
    ADD_FAILURE() << "there is room for it";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::device);
    const std::string said = error.what();
    for (const char* part : {"the sky needs at least 953674316407 MiB", "MiB are left", "look at"})
      EXPECT_NE(said.find(part), said.npos) << said;
  }
}

// covers MD2 and MD4: one file, of weights that are as regard writes them
TEST(ModelFolder, KnowsNeitherShardsNorWeightsWithoutScales) {
  const testing::ScratchFolder folder;
  const ModelInfo info = plain_card(11);
  const auto model = make_sequence_model(info.spec, Rng(1));
  testing::save_model(folder.path(), info, *model);
  const std::string weights = folder.path() + "/" + std::string(kWeightsFile);
  std::vector<SafetensorsItem> items;
  std::vector<std::vector<std::byte>> rounded;
  for (const NamedParameter& each : parameters_of(*model))
    rounded.emplace_back(static_cast<std::size_t>(each.parameter.value().count()));
  std::size_t i = 0;
  for (const NamedParameter& each : parameters_of(*model))
    items.emplace_back(each.name, "I8", each.parameter.shape(), rounded[i++]);
  write_safetensors(weights, items);
  EXPECT_NE(std::string(refusal_of(folder.path()).what()).find("for translating only"),
            std::string::npos);
  try {
    load_translator(folder.path());
    ADD_FAILURE() << "took whole numbers without scales";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input);
  }

  std::filesystem::rename(weights, folder.path() + "/model-00001-of-00001.safetensors");
  const Error refused = refusal_of(folder.path());
  EXPECT_EQ(refused.fault, Fault::input);
  EXPECT_NE(std::string(refused.what()).find("model.safetensors"), std::string::npos);
}

}  // namespace
}  // namespace regard
