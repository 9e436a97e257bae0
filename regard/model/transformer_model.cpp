#include "regard/model/transformer_model.h"

#include "regard/block/pack.h"
#include "regard/block/parameters.h"

namespace regard {
TransformerModel::TransformerModel(const ModelSpec& spec, Rng rng, Dtype dtype)
    : encoder_(encoder_spec(spec, dtype), rng.fork("encoder")),
      decoder_(spec, decoder_spec(spec, dtype), rng) {
  if (spec.tied == "all") encoder_.embed.table = decoder_.decoder.embed.table;
}

Var TransformerModel::forward(const TokenIds& source, const TokenIds& decoder_input,
                              const Pass& pass) const {
  return decoder_(decoder_input, encoder_.source(source, pass.inside("encoder")), pass);
}

std::unique_ptr<IncrementalState> TransformerModel::start(const TokenIds& source,
                                                          const Pass& pass) const {
  const NoGrad quiet;
  return decoder_.start(encoder_.source(source, pass.inside("encoder")));
}

Tensor TransformerModel::step(std::span<const std::int32_t> decoder_input, IncrementalState& state,
                              const Pass& pass) const {
  return decoder_.step(decoder_input, state, pass);
}

void TransformerModel::each(const Visit& visit) {
  const Visit once = each_once(visit);
  each_parameter(decoder_.decoder, once, "decoder");
  each_parameter(encoder_, once, "encoder");
  each_parameter(decoder_.output, once, "output");
}

void TransformerModel::pack() {
  decoder_.pack(&encoder_.embed);
  pack_weights(encoder_);
}

void TransformerModel::quantise() {
  decoder_.quantise(&encoder_.embed);
  quantise_weights(encoder_);
}

}  // namespace regard
