#include "regard/model/decoder_with_output.h"

#include "regard/block/pack.h"

namespace regard {
namespace {

class TransformerState final : public IncrementalState {
 public:
  explicit TransformerState(DecoderState state) : state(std::move(state)) {}

  Index count() const override { return state.past.count(); }
  void reorder(std::span<const Index> chosen) override { state.reorder(chosen); }
  void join(const IncrementalState& more) override {
    state.join(dynamic_cast<const TransformerState&>(more).state);
  }

  DecoderState state;
};

}  // namespace

DecoderWithOutput::DecoderWithOutput(const ModelSpec& spec, const TransformerSpec& sizes,
                                     const Rng& rng)
    : decoder(sizes, rng.fork("decoder")),
      output(spec.tied == "none" ? OutputLayer({.vocabulary = spec.target_vocabulary,
                                                .width = spec.width,
                                                .dtype = sizes.dtype,
                                                .rng = rng.fork("output")})
                                 : OutputLayer(decoder.embed.table)) {}

Var DecoderWithOutput::operator()(const TokenIds& input, const EncoderOutput& source,
                                  const Pass& pass) const {
  return decoder(input, source, pass.inside("decoder"));
}

std::unique_ptr<IncrementalState> DecoderWithOutput::start(const EncoderOutput& source) const {
  return std::make_unique<TransformerState>(decoder.start(source));
}

Tensor DecoderWithOutput::step(std::span<const std::int32_t> tokens, IncrementalState& state,
                               const Pass& pass) const {
  const auto count = static_cast<Index>(tokens.size());
  const TokenIds next{{tokens.begin(), tokens.end()}, Segments::equal(count, 1)};
  DecoderState& past = dynamic_cast<TransformerState&>(state).state;
  return decoder.step(next, past, pass.inside("decoder")).value();
}

void DecoderWithOutput::pack(TokenEmbedding* encoder) {
  if (encoder)
    pack_output(output, {&decoder.embed, encoder});
  else
    pack_output(output, {&decoder.embed});
  pack_weights(decoder);
}

void DecoderWithOutput::quantise(TokenEmbedding* encoder) {
  if (encoder)
    quantise_tables(output, {&decoder.embed, encoder});
  else
    quantise_tables(output, {&decoder.embed});
  quantise_weights(decoder);
}

}  // namespace regard
