#include "regard/model/bahdanau.h"

#include "regard/model/architecture.h"

namespace regard::architectures {
namespace {

constexpr std::string_view kUnused[] = {
    "heads",         "kv_heads",          "position",          "activation",      "pre_norm",
    "ffn_dropout",   "epsilon",           "max_length",        "first_position",  "encoder_norm",
    "decoder_norm",  "encoder_attention", "decoder_attention", "cross_attention", "encoder_heads",
    "decoder_heads", "cross_heads",       "encoder_window",    "decoder_window"};

}  // namespace

extern const Architecture bahdanau{
    .name = "bahdanau",
    .summary = "gated recurrent units that look at the source before each token",
    .paper = "Bahdanau et al. 2015, arXiv:1409.0473",
    .command = "translate",
    .unused = kUnused,
    .recurrent = true,
    .without_positions =
        "a recurrent model reads its tokens one after another and needs no positions",
    .preferred =
        [](ModelSpec spec) {
          spec.mechanism = "additive";
          spec.hidden = spec.width;
          return spec;
        },
    .layers = [](const ModelSpec&, AttentionKind kind) -> Index {
      return kind == AttentionKind::cross ? 1 : 0;
    },
    .make = [](const ModelSpec& spec, Rng rng, Dtype dtype) -> std::unique_ptr<Model> {
      return std::make_unique<BahdanauModel>(spec, rng, dtype);
    },
};

}  // namespace regard::architectures
