#include "regard/model/transformer_model.h"

#include "regard/block/pack.h"
#include "regard/block/parameters.h"
#include "regard/model/decoder_steps.h"

namespace regard {
TransformerModel::TransformerModel(const ModelSpec& spec, Rng rng, Dtype dtype)
    : encoder_(encoder_spec(spec, dtype), rng.fork("encoder")),
      decoder_(decoder_spec(spec, dtype), rng.fork("decoder")),
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
  return started(decoder_, encoder_.source(source, pass.inside("encoder")));
}

Tensor TransformerModel::step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
                              const Pass& pass) const {
  return stepped(decoder_, decoder_input, state, pass.inside("decoder"));
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
