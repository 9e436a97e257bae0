#include "regard/model/transformer_spec.h"

#include "regard/base/check.h"
#include "regard/model/architecture.h"

namespace regard {
namespace {

Activation activation_called(const std::string& name) {
  if (name == "relu") return Activation::relu;
  if (name == "gelu") return Activation::gelu;
  check(name == "swish", "activation '", name, "' is unknown; expected relu, gelu or swish");
  return Activation::swish;
}

/// Names the setting where what an attention has of its own does not fit.
void check_own(const ModelSpec& spec, AttentionKind kind) {
  const std::string setting = "model." + std::string(name(kind));
  const Index heads = heads_of(spec, kind);
  if (heads != spec.heads) {
    check(spec.width % heads == 0, setting, "_heads is ", heads, ", which does not divide d_model ",
          spec.width);
    check(spec.kv_heads == 0 || heads % spec.kv_heads == 0, setting, "_heads is ", heads,
          ", which kv_heads ", spec.kv_heads, " does not divide");
  }
  const std::string& mechanism = mechanism_of(spec, kind);
  if (mechanism == spec.mechanism) return;
  try {
    find_mechanism(mechanism);
  } catch (const Error& unknown) {
    fail(unknown.fault, setting, "_attention: ", unknown.what());
  }
}

/// Of encoder and decoder alike, but for their sizes.
TransformerSpec stack_spec(const ModelSpec& spec, AttentionKind kind, Dtype dtype) {
  check_own(spec, kind);
  return {.width = spec.width,
          .heads = heads_of(spec, kind),
          .hidden = spec.hidden,
          .kv_heads = spec.kv_heads,
          .position = spec.position,
          .mechanism = mechanism_of(spec, kind),
          .activation = activation_called(spec.activation),
          .pre_norm = has_norms_in_front(spec, kind),
          .dropout = spec.dropout,
          .attention_dropout = spec.attention_dropout,
          .ffn_dropout = spec.ffn_dropout,
          .epsilon = spec.epsilon,
          .max_length = spec.max_length,
          .first_position = spec.first_position,
          .dtype = dtype};
}

}  // namespace

TransformerSpec encoder_spec(const ModelSpec& spec, Dtype dtype) {
  TransformerSpec encoder = stack_spec(spec, AttentionKind::encoder, dtype);
  encoder.vocabulary = spec.source_vocabulary;
  encoder.layers = spec.encoder_layers;
  encoder.window = window_of(spec, AttentionKind::encoder);
  return encoder;
}

TransformerSpec decoder_spec(const ModelSpec& spec, Dtype dtype) {
  TransformerSpec decoder = stack_spec(spec, AttentionKind::decoder, dtype);
  decoder.vocabulary = spec.target_vocabulary;
  decoder.layers = spec.decoder_layers;
  decoder.window = window_of(spec, AttentionKind::decoder);
  check_own(spec, AttentionKind::cross);
  decoder.cross_heads = heads_of(spec, AttentionKind::cross);
  decoder.cross_mechanism = mechanism_of(spec, AttentionKind::cross);
  return decoder;
}

BlockSpec block_spec(const TransformerSpec& spec, Rng rng) {
  return {.width = spec.width,
          .heads = spec.heads,
          .hidden = spec.hidden,
          .kv_heads = spec.kv_heads,
          .mechanism = spec.mechanism,
          .cross_heads = spec.cross_heads,
          .cross_mechanism = spec.cross_mechanism,
          .activation = spec.activation,
          .pre_norm = spec.pre_norm,
          .cross = spec.cross,
          .dropout = spec.dropout,
          .attention_dropout = spec.attention_dropout,
          .ffn_dropout = spec.ffn_dropout,
          .epsilon = spec.epsilon,
          .dtype = spec.dtype,
          .rng = rng};
}

std::optional<LayerNorm> last_norm(const TransformerSpec& spec) {
  if (!spec.pre_norm) return std::nullopt;
  return LayerNorm({spec.width}, spec.epsilon, spec.dtype);
}

}  // namespace regard
