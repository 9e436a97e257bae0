// What is special about a model that labels.
#include "regard/model/label_model.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "regard/model/labels.h"
#include "tests/model/sequence_model_testing.h"
#include "tests/ops/expect_error.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;
using testing::same_bits;

ModelSpec labelling(Draw& draw) {
  return testing::some_spec_of(draw, testing::labelling_architectures());
}

/// Whatever windows others have, the class token sees every word or patch, and no other source.
TEST(LabelModel, SeesAllOfItsOwnSource) {
  testing::law("every number", 60, [](Draw& draw) {
    const ModelSpec spec = labelling(draw);
    SCOPED_TRACE(testing::title(spec));
    const auto model = as_kind<LabelModel>(make_model(spec, draw.rng("model")), spec);
    testing::randomise(*model, draw.rng("parameters"));
    Ids sources = testing::some_sources(draw, spec, 2, 2, 9);
    const Tensor before = model->forward(TokenIds::ragged(sources), {}).value();
    ASSERT_EQ(before.shape(), (Shape{2, spec.width}));
    const Index last = static_cast<Index>(sources[0].size()) - 1;
    std::int32_t& number = sources[0][static_cast<std::size_t>(draw.integer(0, last))];
    number = (number + 1) % 11;
    const Tensor after = model->forward(TokenIds::ragged(sources), {}).value();
    EXPECT_FALSE(same_bits(testing::some_rows(before, 0, 1), testing::some_rows(after, 0, 1)));
    EXPECT_TRUE(same_bits(testing::some_rows(before, 1, 1), testing::some_rows(after, 1, 1)));
  });
}

TEST(LabelModel, RefusesPadding) {
  testing::law("padding", 2, [](Draw& draw) {
    const ModelSpec spec = labelling(draw);
    const auto model = as_kind<LabelModel>(make_model(spec, Rng(1)), spec);
    EXPECT_THROW(model->forward(testing::boxed({{1, 2}, {3}}, 2, 0), {}), Error);
  });
}

TEST(LabelModel, IsNotUsedAsOneThatGeneratesTokens) {
  testing::law("kinds", 2, [](Draw& draw) {
    const ModelSpec spec = labelling(draw);
    testing::expect_error("is not used this way.*use: regard classify",
                          [&] { make_sequence_model(spec, Rng(1)); });
  });
}

TEST(Labels, AreCheckedWhereTheyAreRead) {
  using Json = nlohmann::json;
  const auto refuse = [](const std::string& pattern, const Json& json, Index count) {
    try {
      labels_from(json, count, "config.json: labels");
      ADD_FAILURE() << "accepted; expected: " << pattern;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_NE(std::string(error.what()).find(pattern), std::string::npos) << error.what();
    }
  };
  EXPECT_EQ(labels_from({"b", "a", "é 1"}, 3, "x"), (std::vector<std::string>{"b", "a", "é 1"}));
  refuse("config.json: labels: expected an array", "b", 1);
  refuse("2 labels of a model of 3", {"b", "a"}, 3);
  refuse("1 labels", Json::array({"b"}), 1);
  refuse("expected text, got number", {"b", 1}, 2);
  refuse("'b' is there twice", {"b", "b"}, 2);
  refuse("number 2 is an empty label", {"b", ""}, 2);
  refuse("number 2 is a label that is no plain line", {"b", "a\tc"}, 2);
  refuse("no plain line", {" b", "a"}, 2);
  refuse("no plain line", {"b\n", "a"}, 2);
  refuse("a label of 201 bytes", {std::string(201, 'a'), "a"}, 2);
  refuse("1001 labels", Json(std::vector<int>(1001)), 1001);
}

}  // namespace
}  // namespace regard
