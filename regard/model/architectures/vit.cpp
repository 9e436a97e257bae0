#include "regard/model/architecture.h"
#include "regard/model/image_encoder.h"
#include "regard/model/label_model.h"

namespace regard::architectures {
namespace {

// No window: the class token would see the first patches alone.
constexpr std::string_view kUnused[] = {
    "source_vocabulary", "decoder_layers", "tied",           "decoder_norm",    "decoder_attention",
    "decoder_heads",     "decoder_window", "encoder_window", "cross_attention", "cross_heads",
    "position",          "max_length",     "first_position"};

}  // namespace

extern const Architecture vit{
    .name = "vit",
    .summary = "a vision transformer: an encoder of the patches of an image, which says its label",
    .paper = "Dosovitskiy et al. 2021, arXiv:2010.11929",
    .reads = Reads::image,
    .writes = Writes::label,
    .command = "classify",
    .unused = kUnused,
    .without_positions =
        "the patches of an image have two positions, waves of their row and of their column",
    .preferred =
        [](ModelSpec spec) {
          spec.width = 64;
          spec.hidden = 256;
          spec.heads = 4;
          spec.encoder_layers = 2;
          spec.pre_norm = true;
          spec.dropout = spec.ffn_dropout = spec.attention_dropout = 0;
          return spec;
        },
    .layers = [](const ModelSpec& spec, AttentionKind kind) -> Index {
      return kind == AttentionKind::encoder ? spec.encoder_layers : 0;
    },
    .make = [](const ModelSpec& spec, Rng rng, Dtype dtype) -> std::unique_ptr<Model> {
      constexpr Index kClassToken = 1;
      return std::make_unique<LabelModelOf<ImageEncoder>>(
          ImageEncoder(spec, dtype, rng.fork("encoder"), kClassToken), spec, rng, dtype);
    },
};

}  // namespace regard::architectures
