// The stacks of a Transformer say alone what they say inside the model.
#include "regard/model/transformer_model.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/model/sequence_model_testing.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Ids;

/// Gives a stack the values that the model has under the stack's name. Tables that are one stand
/// under the decoder's alone.
template <class Stack>
void take_weights(Stack& stack, const std::string& name, bool one_table,
                  const std::map<std::string, Tensor>& weights) {
  each_parameter(stack, [&](const std::string& path, Var& parameter) {
    const std::string owner = one_table && path == "embed.table" ? "decoder" : name;
    parameter.set_value(weights.at(owner + "." + path));
  });
}

TEST(TransformerModel, HasStacksThatSayAloneWhatTheySayInside) {  // property 27
  testing::law("stacks alone", 60, [](Draw& draw) {
    ModelSpec spec = testing::some_model_spec(draw);
    spec.architecture = "transformer";
    spec.encoder_layers = draw.integer(1, 2);
    if (spec.tied != "all") spec.target_vocabulary = 13;
    SCOPED_TRACE(testing::title(spec));
    const auto model = make_sequence_model(spec, draw.rng("model"));
    testing::randomise(*model, draw.rng("parameters"));
    std::map<std::string, Tensor> weights;
    model->each([&](const std::string& name, Var& p) { weights[name] = p.value(); });
    Encoder encoder(encoder_spec(spec, Dtype::f32), Rng(1));
    Decoder decoder(decoder_spec(spec, Dtype::f32), Rng(2));
    take_weights(encoder, "encoder", spec.tied == "all", weights);
    take_weights(decoder, "decoder", false, weights);

    const Ids sentences = testing::some_sentences(draw, 3, 0, 6);
    const TokenIds sources =
        draw.coin() ? TokenIds::ragged(sentences) : testing::boxed(sentences, 6, 3);
    const Ids targets = testing::some_sentences(draw, 3, 3, 3);
    const TokenIds said = TokenIds::ragged(targets);
    const EncoderOutput source = encoder.source(sources, {});
    EXPECT_TRUE(testing::same_bits(decoder(said, source, {}).value(),
                                   model->forward(sources, said, {}).value()));

    const auto state = model->start(sources, {});
    DecoderState own = decoder.start(source);
    for (std::size_t t = 0; t < 3; ++t) {
      const std::vector<std::int32_t> next = testing::tokens_at(targets, t);
      const Tensor alone = decoder.step({next, Segments::equal(3, 1)}, own, {}).value();
      EXPECT_TRUE(testing::same_bits(alone, model->step(next, *state, {}))) << "step " << t;
    }
  });
}

}  // namespace
}  // namespace regard
