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
using testing::some_card;
using testing::some_sentences;

void expect_same_card(const ModelCard& got, const ModelCard& expected) {
  EXPECT_EQ(to_json(got.spec).dump(), to_json(expected.spec).dump());
  EXPECT_EQ(got.from, expected.from);
  EXPECT_EQ(got.to, expected.to);
  EXPECT_EQ(got.source->bytes(), expected.source->bytes());
  EXPECT_EQ(got.target->bytes(), expected.target->bytes());
  EXPECT_EQ(got.source == got.target, expected.source == expected.target);
  EXPECT_EQ(got.alignment.layer, expected.alignment.layer);
  EXPECT_EQ(got.alignment.head, expected.alignment.head);
  EXPECT_EQ(got.alignment.after, expected.alignment.after);
}

TEST(ModelFolder, GivesBackTheModelThatWasSaved) {  // property 25
  testing::law("saved and loaded", 36, [](Draw& draw) {
    const ModelCard card = some_card(draw);
    SCOPED_TRACE(testing::title(card.spec));
    const auto model = make_model(card.spec, draw.rng("model"));
    testing::randomise(*model, draw.rng("parameters"));
    const ScratchFolder folder;
    save_model(folder.path(), card, *model);
    const LoadedModel loaded = load_model(folder.path());
    expect_same_card(loaded.card, card);
    EXPECT_EQ(parameter_count(*loaded.model), parameter_count(*model));

    const TokenIds sources = TokenIds::ragged(some_sentences(draw, 3, 0, 6));
    const TokenIds said = TokenIds::ragged(some_sentences(draw, 3, 1, 6));
    const Tensor rows = model->read(sources, said, {}).value();
    EXPECT_TRUE(same_bits(model->read(sources, said, {}).value(), rows));
    EXPECT_TRUE(same_bits(loaded.model->read(sources, said, {}).value(), rows));
    EXPECT_TRUE(same_bits(loaded.model->output().log_probabilities(rows),
                          model->output().log_probabilities(rows)));
  });
}

TEST(ModelFolder, KeepsTiedTablesOne) {  // property 25
  testing::law("tied tables", 12, [](Draw& draw) {
    const ModelCard card = some_card(draw);
    SCOPED_TRACE(testing::title(card.spec));
    const auto model = make_model(card.spec, draw.rng("model"));
    const ScratchFolder folder;
    save_model(folder.path(), card, *model);
    const LoadedModel loaded = load_model(folder.path());

    // A parameter is named once, by the first part that has it: the decoder comes first.
    const std::vector<NamedParameter> parameters = parameters_of(*loaded.model);
    const auto find = [&](const std::string& name) {
      return std::ranges::find(parameters, name, &NamedParameter::name);
    };
    EXPECT_EQ(find("encoder.embed.table") == parameters.end(), card.spec.tied == "all");
    EXPECT_EQ(find("output.table") == parameters.end(), card.spec.tied != "none");
    const auto table = find("decoder.embed.table");
    ASSERT_TRUE(table != parameters.end());
    EXPECT_EQ(loaded.model->output().table == table->parameter, card.spec.tied != "none");

    const auto first_step = [&] {
      const auto progress = loaded.model->start(TokenIds::ragged({{1, 2, 3}}), {});
      return loaded.model->step(std::vector<std::int32_t>{4}, *progress, {});
    };
    const Tensor before = first_step();
    Var shared = table->parameter;
    Tensor changed = shared.value().clone();
    const auto width = static_cast<std::size_t>(card.spec.width);
    for (float& x : changed.span<float>().subspan(width, width)) x *= -2;  // token 1: source only
    shared.set_value(changed);
    EXPECT_EQ(same_bits(first_step(), before), card.spec.tied != "all");
  });
}

}  // namespace
}  // namespace regard
