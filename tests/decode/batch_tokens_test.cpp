// How much a thread has at work: by the kind of model, unless the settings say it.
#include "tests/decode/decode_testing.h"
#include "tests/model/architectures.h"

namespace regard {
namespace {

std::unique_ptr<SequenceModel> model_of(std::string_view architecture, Index width) {
  ModelSpec spec{.architecture = std::string(architecture),
                 .source_vocabulary = 30,
                 .target_vocabulary = 30,
                 .width = width,
                 .hidden = 24,
                 .heads = 2,
                 .encoder_layers = 1,
                 .decoder_layers = 1,
                 .tied = "all"};
  spec.mechanism = find_architecture(architecture).preferred(spec).mechanism;
  return make_sequence_model(spec, Rng(1));
}

/// What decides: what the model is, not how its weights lie.
struct Form {
  bool int8, packed;
};

constexpr Form kForms[]{{false, false}, {false, true}, {true, false}, {true, true}};
constexpr Index kBeams[]{1, 2, 4, 8};

TEST(BatchTokens, AreMoreInBeamSearchOfWideModelsInF32Alone) {
  for (const Architecture* made : testing::generating_architectures())
    for (const Index width : {64, 510, 512, 520})
      for (const Form form : kForms) {
        const auto model = model_of(made->name, width);
        if (form.int8) model->quantise();
        if (form.packed) model->pack();
        for (const Index beam : kBeams) {
          const Index times = form.int8 || width < 512 ? 1 : std::min<Index>(beam, 4);
          EXPECT_EQ(batch_tokens(*model, {.beam = beam}), 1024 * times)
              << made->name << " of " << width << ", beam " << beam << ", int8 " << form.int8
              << ", packed " << form.packed;
        }
      }
}

TEST(BatchTokens, CountSamplesAsHypotheses) {
  const auto model = model_of("transformer", 512);
  EXPECT_EQ(batch_tokens(*model, {.beam = 4, .n_best = 1, .sample = true}), 1024);
  EXPECT_EQ(batch_tokens(*model, {.beam = 1, .n_best = 3, .sample = true}), 3072);
}

TEST(BatchTokens, AreWhatTheSettingsSay) {
  for (const Index width : {64, 512})
    for (const Form form : kForms) {
      const auto model = model_of("transformer", width);
      if (form.int8) model->quantise();
      if (form.packed) model->pack();
      for (const Index beam : kBeams)
        for (const Index stated : {1, 100, 1024, 5000})
          EXPECT_EQ(batch_tokens(*model, {.beam = beam, .batch_tokens = stated}), stated);
    }
}

}  // namespace
}  // namespace regard
