#include "regard/model/architecture.h"
#include "regard/model/forecast_model.h"

namespace regard::architectures {
namespace {

constexpr std::string_view kUnused[] = {"source_vocabulary", "target_vocabulary",
                                        "decoder_layers",    "decoder_norm",
                                        "decoder_attention", "decoder_heads",
                                        "decoder_window",    "cross_attention",
                                        "cross_heads",       "tied",
                                        "max_length",        "first_position"};

}  // namespace

extern const Architecture forecast{
    .name = "forecast",
    .summary = "an encoder of patches of a series, which continues it",
    .paper = "Nie et al. 2023, arXiv:2211.14730; Kim et al. 2022 (RevIN)",
    .reads = Reads::series,
    .writes = Writes::series,
    .command = "forecast",
    .unused = kUnused,
    // There is little to learn from a few thousand moments: a large model learns them by heart.
    .preferred =
        [](ModelSpec spec) {
          spec.width = 16;
          spec.hidden = 128;
          spec.heads = 4;
          spec.encoder_layers = 3;
          spec.position = "learned";
          spec.activation = "gelu";
          spec.pre_norm = true;
          spec.dropout = spec.ffn_dropout = 0.3;
          spec.attention_dropout = 0;
          return spec;
        },
    .layers = [](const ModelSpec& spec, AttentionKind kind) -> Index {
      return kind == AttentionKind::encoder ? spec.encoder_layers : 0;
    },
    .make = [](const ModelSpec& spec, Rng rng, Dtype dtype) -> std::unique_ptr<Model> {
      return std::make_unique<ForecastModel>(spec, rng, dtype);
    },
};

}  // namespace regard::architectures
