#include "regard/model/architecture.h"
#include "regard/model/label_model.h"
#include "regard/model/transformer.h"

namespace regard::architectures {
namespace {

// No window: the class token would see the first words alone.
constexpr std::string_view kUnused[] = {
    "decoder_layers", "tied",           "decoder_norm",    "decoder_attention", "decoder_heads",
    "decoder_window", "encoder_window", "cross_attention", "cross_heads"};

}  // namespace

extern const Architecture classify{
    .name = "classify",
    .summary = "an encoder alone, which says which label a text has",
    .paper = "Devlin et al. 2019, arXiv:1810.04805; Vaswani et al. 2017, arXiv:1706.03762",
    .writes = Writes::label,
    .command = "classify",
    .unused = kUnused,
    .preferred = [](ModelSpec spec) { return spec; },
    .layers = [](const ModelSpec& spec, AttentionKind kind) -> Index {
      return kind == AttentionKind::encoder ? spec.encoder_layers : 0;
    },
    .make = [](const ModelSpec& spec, Rng rng, Dtype dtype) -> std::unique_ptr<Model> {
      return std::make_unique<LabelModelOf<Encoder>>(
          Encoder(encoder_spec(spec, dtype), rng.fork("encoder")), spec, rng, dtype);
    },
};

}  // namespace regard::architectures
