// A model that was saved is the same model when it is loaded.
#include "regard/model/model_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "regard/config/json.h"
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

void expect_same_card(const ModelInfo& got, const ModelInfo& expected) {
  EXPECT_EQ(to_json(got.spec).dump(), to_json(expected.spec).dump());
  EXPECT_EQ(got.from, expected.from);
  EXPECT_EQ(got.to, expected.to);
  EXPECT_EQ(got.source != nullptr, expected.source != nullptr);
  if (got.source) {
    EXPECT_EQ(got.source->bytes(), expected.source->bytes());
  }
  EXPECT_EQ(got.target != nullptr, expected.target != nullptr);
  if (got.target) {
    EXPECT_EQ(got.target->bytes(), expected.target->bytes());
  }
  EXPECT_EQ(got.labels, expected.labels);
  EXPECT_EQ(got.source == got.target, expected.source == expected.target);
  EXPECT_EQ(got.alignment.layer, expected.alignment.layer);
  EXPECT_EQ(got.alignment.head, expected.alignment.head);
  EXPECT_EQ(got.alignment.shift, expected.alignment.shift);
}

TEST(ModelFolder, GivesBackTheModelThatWasSaved) {  // property 25
  testing::law("saved and loaded", 36, [](Draw& draw) {
    const ModelInfo info = testing::some_info_of(draw, testing::choosing_architectures());
    SCOPED_TRACE(testing::title(info.spec));
    const auto model = make_model(info.spec, draw.rng("model"));
    testing::randomise(*model, draw.rng("parameters"));
    const ScratchFolder folder;
    save_model(folder.path(), info, *model);
    const Loaded<Model> loaded = load_plain(folder.path());
    expect_same_card(loaded.info, info);
    EXPECT_EQ(parameter_count(*loaded.model), parameter_count(*model));

    const testing::Examples examples = testing::some_examples(draw, info.spec, 3, 0, 6);
    const testing::Answer before = testing::ask(*model, examples),
                          after = testing::ask(*loaded.model, examples);
    EXPECT_TRUE(same_bits(after.rows.value(), before.rows.value()));
    EXPECT_TRUE(same_bits(after.output.log_probabilities(after.rows.value()),
                          before.output.log_probabilities(before.rows.value())));
  });
}

TEST(ModelFolder, KeepsTiedTablesOne) {  // property 25
  testing::law("tied tables", 12, [](Draw& draw) {
    const ModelInfo info = some_info(draw);
    SCOPED_TRACE(testing::title(info.spec));
    const auto model = make_sequence_model(info.spec, draw.rng("model"));
    const ScratchFolder folder;
    save_model(folder.path(), info, *model);
    const LoadedModel loaded = load_model(folder.path());

    // A parameter is named once, by the first part that has it: the decoder comes first.
    const std::vector<NamedParameter> parameters = parameters_of(*loaded.model);
    const auto find = [&](const std::string& name) {
      return std::ranges::find(parameters, name, &NamedParameter::name);
    };
    const bool reads = find_architecture(info.spec.architecture).uses("source_vocabulary");
    EXPECT_EQ(find("encoder.embed.table") == parameters.end(), !reads || info.spec.tied == "all");
    EXPECT_EQ(find("output.table") == parameters.end(), info.spec.tied != "none");
    const auto table = find("decoder.embed.table");
    ASSERT_TRUE(table != parameters.end());
    EXPECT_EQ(loaded.model->output().table == table->parameter, info.spec.tied != "none");

    const auto first_step = [&] {
      const auto state = loaded.model->start(TokenIds::ragged({{1, 2, 3}}), {});
      return loaded.model->step(std::vector<std::int32_t>{4}, *state, {});
    };
    const Tensor before = first_step();
    Var shared = table->parameter;
    Tensor changed = shared.value().clone();
    const auto width = static_cast<std::size_t>(info.spec.width);
    for (float& x : changed.span<float>().subspan(width, width)) x *= -2;  // token 1: source only
    shared.set_value(changed);
    EXPECT_EQ(same_bits(first_step(), before), !reads || info.spec.tied != "all");
  });
}

}  // namespace
}  // namespace regard
