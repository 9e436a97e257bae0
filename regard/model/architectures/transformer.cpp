#include "regard/model/architecture.h"
#include "regard/model/transformer_model.h"

namespace regard::architectures {

extern const Architecture transformer{
    .name = "transformer",
    .summary = "encoder and decoder of attention and feed-forward layers",
    .paper = "Vaswani et al. 2017, arXiv:1706.03762",
    .command = "translate",
    .unused = {},
    .preferred = [](ModelSpec spec) { return spec; },
    .layers =
        [](const ModelSpec& spec, AttentionKind kind) {
          return kind == AttentionKind::encoder ? spec.encoder_layers : spec.decoder_layers;
        },
    .make = [](const ModelSpec& spec, Rng rng, Dtype dtype) -> std::unique_ptr<Model> {
      return std::make_unique<TransformerModel>(spec, rng, dtype);
    },
};

}  // namespace regard::architectures
