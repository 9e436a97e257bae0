// A model of 8-bit weights: the same bits in any batch, at any number of threads, on every machine.
#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "regard/decode/score.h"
#include "tests/decode/decode_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;
using testing::law;

std::unique_ptr<SequenceModel> some_int8_model(Draw& draw) {
  auto model =
      testing::small_model(std::string(testing::some_architecture(draw).name), draw.rng("model"));
  model->quantise();
  model->pack();
  return model;
}

TEST(Int8Model, IsTheSameInAnyBatch) {
  law("int8: alone = in a batch", 40, [](Draw& draw) {
    const auto model = some_int8_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 6);
    DecodeSpec spec = testing::some_decode_spec(draw);
    spec.sample = false;
    const auto together = translate(*model, sources, spec);
    spec.batch_tokens = 1;
    const auto one_by_one = translate(*model, sources, spec);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      testing::expect_same(one_by_one[i], together[i]);
      testing::expect_same(translate(*model, std::vector<Ids>{sources[i]}, spec)[0], together[i]);
    }
  });
}

TEST(Int8Model, IsTheSameInEverySetting) {
  const auto model = testing::small_model("transformer", Rng(3));
  model->quantise();
  model->pack();
  const std::vector<Ids> sources{{5, 6, 7, kEos}, {8, kEos}, {6, 6, 6, 9, 5, kEos}};
  const auto expected = translate(*model, sources, {.beam = 4, .max_length = 12});
  testing::in_every_setting([&](const std::string& what) {
    SCOPED_TRACE(what);
    const auto got = translate(*model, sources, {.beam = 4, .max_length = 12});
    for (std::size_t i = 0; i < sources.size(); ++i) testing::expect_same(got[i], expected[i]);
  });
}

// Stepping and reading all at once agree, as they do in f32.
TEST(Int8Model, FindsItsOwnWordsAsProbableAsItSaid) {
  law("int8: score = search", 20, [](Draw& draw) {
    const auto model = some_int8_model(draw);
    const std::vector<Ids> sources = testing::some_sources(draw, *model, 3);
    const auto found = translate(*model, sources, {.beam = 2, .max_length = 8});
    std::vector<Ids> said;
    for (const auto& best : found) said.push_back(best.front().ids);
    const std::vector<PairScore> scores = score_pairs(*model, sources, said);
    for (std::size_t i = 0; i < said.size(); ++i)
      EXPECT_EQ(scores[i].tokens, found[i].front().token_log_probabilities);
  });
}

TEST(Int8Model, SaysNothingBeforeItIsPacked) {
  const auto model = testing::small_model("transformer", Rng(1));
  model->quantise();
  EXPECT_THROW(translate(*model, std::vector<Ids>{{5, kEos}}, {}), Error);
}

}  // namespace
}  // namespace regard
