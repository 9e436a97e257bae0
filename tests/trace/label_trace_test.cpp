#include "regard/trace/label_trace.h"

#include <cmath>

#include "regard/base/check.h"
#include "regard/decode/label_scores.h"
#include "regard/trace/trace_json.h"
#include "regard/trace/trace_npz.h"
#include "tests/support/zip_reader.h"
#include "tests/trace/trace_testing.h"

namespace regard {
namespace {

using testing::Draw;

Loaded<LabelModel> some_labeller(Draw& draw, Reads reads = Reads::text) {
  const auto kinds = testing::architectures_that([&](const Architecture& each) {
    return each.writes == Writes::label && each.reads == reads;
  });
  ModelInfo info;
  info.source = word_vocabulary(testing::kTraceText, {.min_frequency = 1});
  info.labels = {"bad", "good", "so-so"};
  info.spec = testing::small_spec();
  info.spec.architecture = kinds[static_cast<std::size_t>(draw.number()) % kinds.size()]->name;
  info.spec.source_vocabulary = info.source->size();
  info.spec.target_vocabulary = 3;
  info.spec.encoder_layers = draw.integer(1, 2);
  info.spec.image_size = 4;
  info.spec.image_patch = 2;
  auto model = as_kind<LabelModel>(make_model(info.spec, draw.rng("model")), info.spec);
  return {std::move(info), std::move(model)};
}

TEST(LabelTrace, HoldsTheLabelsAndWhatEveryHeadLookedAt) {
  testing::law("labels and heads", 40, [](Draw& draw) {
    const Loaded<LabelModel> model = some_labeller(draw);
    const std::string text = testing::some_text(draw);
    const Trace trace = trace_label(model, "m", text, {.top = draw.integer(0, 5)});
    std::vector<std::int32_t> ids = model.info.source->encode(text);
    ids.push_back(kEos);
    const std::vector<double> scores = label_scores(*model.model, std::span(&ids, 1)).front();
    EXPECT_EQ(trace.labels.front().label,
              model.info.labels[static_cast<std::size_t>(likeliest(scores))]);
    EXPECT_EQ(trace.target.text, trace.labels.front().label);
    for (std::size_t i = 1; i < trace.labels.size(); ++i)
      EXPECT_LE(trace.labels[i].probability, trace.labels[i - 1].probability);
    const auto tokens = static_cast<Index>(ids.size()) + 1;
    ASSERT_EQ(static_cast<Index>(trace.source.tokens.size()), tokens);
    EXPECT_EQ(trace.source.tokens.front().text, kClassToken);
    const ModelSpec& spec = model.info.spec;
    ASSERT_EQ(static_cast<Index>(trace.attention.size()),
              spec.encoder_layers * heads_of(spec, AttentionKind::encoder));
    for (const TracedHead& head : trace.attention) {
      EXPECT_EQ(head.kind, AttentionKind::encoder);
      ASSERT_EQ(head.rows, tokens);
      ASSERT_EQ(head.cols, tokens);
      double first = 0;
      for (Index c = 0; c < tokens; ++c) first += head.weights[static_cast<std::size_t>(c)];
      EXPECT_NEAR(first, 1, 1e-5);
    }
    const nlohmann::ordered_json json = trace_json(trace, Encoding::f32);
    EXPECT_EQ(json["labels"].size(), trace.labels.size());
    EXPECT_EQ(json["labels"][0]["label"], trace.labels.front().label);
    EXPECT_EQ(json["model"]["decoder_layers"], 0);
    const auto files = testing::unzipped(trace_npz(trace));
    EXPECT_TRUE(files.contains("labels.npy"));
    EXPECT_TRUE(files.contains("encoder.0.self.weights.npy"));
    EXPECT_FALSE(files.contains("decoder_input.npy"));
  });
}

TEST(LabelTrace, OfAPictureHoldsItsPatchesBehindTheClassToken) {
  testing::law("pictures", 20, [](Draw& draw) {
    const Loaded<LabelModel> model = some_labeller(draw, Reads::image);
    const Index side = model.info.spec.image_size;
    std::vector<std::int32_t> levels;
    for (Index i = 0; i < side * side * 3; ++i)
      levels.push_back(static_cast<std::int32_t>(draw.integer(0, 255)));
    const Trace trace = trace_label(model, "m", levels, {.top = 2});
    const std::vector<double> scores = label_scores(*model.model, std::span(&levels, 1)).front();
    EXPECT_EQ(trace.target.text, model.info.labels[static_cast<std::size_t>(likeliest(scores))]);
    EXPECT_EQ(trace.labels.size(), 2u);
    EXPECT_TRUE(trace.source.tokens.empty());
    const Index rows = 1 + static_cast<Index>(levels.size()) / model.model->numbers_per_row();
    ASSERT_FALSE(trace.attention.empty());
    for (const TracedHead& head : trace.attention) {
      ASSERT_EQ(head.rows, rows);
      ASSERT_EQ(head.cols, rows);
    }
  });
}

TEST(LabelTrace, RefusesWhatOtherModelsHave) {
  testing::law("refusals", 2, [](Draw& draw) {
    const Loaded<LabelModel> model = some_labeller(draw);
    EXPECT_THROW(trace_label(model, "m", "a", {.reference = "b"}), Error);
    EXPECT_THROW(trace_label(model, "m", "a", {.layers = {7}}), Error);
    std::string longer;
    for (int i = 0; i < 300; ++i) longer += "a ";
    EXPECT_THROW(trace_label(model, "m", longer), Error);
  });
}

}  // namespace
}  // namespace regard
