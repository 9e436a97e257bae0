#include "regard/model/transformer_model.h"

#include "regard/base/check.h"
#include "regard/block/pack.h"
#include "regard/block/parameters.h"

namespace regard {
namespace {

Activation activation_called(const std::string& name) {
  if (name == "relu") return Activation::relu;
  if (name == "gelu") return Activation::gelu;
  check(name == "swish", "activation '", name, "' is unknown; expected relu, gelu or swish");
  return Activation::swish;
}

TransformerSpec stack_spec(const ModelSpec& spec, Index vocabulary, Index layers, Dtype dtype) {
  return {.vocabulary = vocabulary,
          .width = spec.width,
          .heads = spec.heads,
          .hidden = spec.hidden,
          .layers = layers,
          .kv_heads = spec.kv_heads,
          .position = spec.position,
          .mechanism = spec.mechanism,
          .activation = activation_called(spec.activation),
          .pre_norm = spec.pre_norm,
          .dropout = spec.dropout,
          .attention_dropout = spec.attention_dropout,
          .ffn_dropout = spec.ffn_dropout,
          .epsilon = spec.epsilon,
          .max_length = spec.max_length,
          .first_position = spec.first_position,
          .dtype = dtype};
}

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

TransformerModel::TransformerModel(const ModelSpec& spec, Rng rng, Dtype dtype)
    : encoder_(stack_spec(spec, spec.source_vocabulary, spec.encoder_layers, dtype),
               rng.fork("encoder")),
      decoder_(stack_spec(spec, spec.target_vocabulary, spec.decoder_layers, dtype),
               rng.fork("decoder")),
      output_(spec.tied == "none" ? OutputLayer({.vocabulary = spec.target_vocabulary,
                                                 .width = spec.width,
                                                 .dtype = dtype,
                                                 .rng = rng.fork("output")})
                                  : OutputLayer(decoder_.embed.table)) {
  if (spec.tied == "all") encoder_.embed.table = decoder_.embed.table;
}

Var TransformerModel::forward(const TokenIds& source, const TokenIds& decoder_input,
                              const Pass& pass) const {
  return decoder_(decoder_input, encoder_.source(source, pass.inside("encoder")),
                  pass.inside("decoder"));
}

std::unique_ptr<IncrementalState> TransformerModel::start(const TokenIds& source,
                                                          const Pass& pass) const {
  const NoGrad quiet;
  return std::make_unique<TransformerState>(
      decoder_.start(encoder_.source(source, pass.inside("encoder"))));
}

Tensor TransformerModel::step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
                              const Pass& pass) const {
  const auto count = static_cast<Index>(decoder_input.size());
  const TokenIds tokens{{decoder_input.begin(), decoder_input.end()}, Segments::equal(count, 1)};
  return decoder_.step(tokens, dynamic_cast<TransformerState&>(state).state, pass.inside("decoder"))
      .value();
}

void TransformerModel::each(const Visit& visit) {
  const Visit once = each_once(visit);
  each_parameter(decoder_, once, "decoder");
  each_parameter(encoder_, once, "encoder");
  each_parameter(output_, once, "output");
}

void TransformerModel::pack() {
  pack_output(output_, {&decoder_.embed, &encoder_.embed});
  pack_weights(encoder_);
  pack_weights(decoder_);
}

void TransformerModel::quantise() {
  quantise_tables(output_, {&decoder_.embed, &encoder_.embed});
  quantise_weights(encoder_);
  quantise_weights(decoder_);
}

}  // namespace regard
