#include <gtest/gtest.h>

#include "regard/base/check.h"
#include "regard/tensor/safetensors.h"
#include "tests/decode/decode_testing.h"
#include "tests/model/architectures.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;
using testing::law;

TEST(PackedModel, TranslatesToTheSameBits) {
  law("pack() changes no bit", 40, [](Draw& draw) {
    const auto plain = testing::some_model(draw), packed = testing::some_model(draw);
    packed->pack();
    const std::vector<Ids> sources = testing::some_sources(draw, *plain, 5);
    const DecodeSpec spec = testing::some_decode_spec(draw);
    const auto expected = translate(*plain, sources, spec), got = translate(*packed, sources, spec);
    for (std::size_t i = 0; i < sources.size(); ++i) testing::expect_same(got[i], expected[i]);
  });
}

TEST(PackedModel, SharesOneTableWithItsEmbeddings) {
  for (const char* tied : {"none", "target", "all"})
    for (const Architecture* architecture : testing::generating_architectures()) {
      SCOPED_TRACE(std::string(architecture->name) + " " + tied);
      ModelSpec spec{.architecture = std::string(architecture->name),
                     .source_vocabulary = 30,
                     .target_vocabulary = 30,
                     .width = 16,
                     .hidden = 24,
                     .heads = 2,
                     .encoder_layers = 1,
                     .decoder_layers = 1,
                     .tied = tied,
                     .image_size = 4,
                     .image_patch = 1};
      spec.mechanism = architecture->preferred(spec).mechanism;
      const auto plain = make_sequence_model(spec, Rng(1)),
                 packed = make_sequence_model(spec, Rng(1));
      packed->pack();
      packed->pack();  // once more changes nothing
      EXPECT_EQ(parameter_count(*packed), parameter_count(*plain));
      const std::vector<Ids> sources{{5, 9, kEos}, {29, 5, kEos}};  // or a patch each
      const auto expected = translate(*plain, sources, {.max_length = 9});
      const auto got = translate(*packed, sources, {.max_length = 9});
      for (std::size_t i = 0; i < 2; ++i) testing::expect_same(got[i], expected[i]);
    }
}

TEST(PackedModel, NeitherLearnsNorIsSaved) {
  const auto model = testing::small_model("transformer", Rng(1));
  model->pack();
  Index refused = 0;
  model->each([&](const std::string& name, Var& parameter) {
    if (!name.ends_with(".weight") && name != "output.table") return;
    EXPECT_THROW(parameter.value().at({0, 0}), Error) << name;
    EXPECT_THROW(SafetensorsItem(name, parameter.value()), Error) << name;
    ++refused;
  });
  EXPECT_GT(refused, 10);
  const std::vector<Ids> text{{5, kEos}};
  EXPECT_THROW(model->forward(TokenIds::ragged(text), TokenIds::ragged(text), Pass{}), Error);
}

}  // namespace
}  // namespace regard
