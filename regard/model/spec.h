#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"
#include "regard/config/field.h"
#include "regard/model/attention_kind.h"

namespace regard {

/// The kinds of model in this build; see architecture.h.
std::vector<std::string_view> architecture_names();

/// What one kind of attention has of its own; else it has what the whole model has.
struct OwnAttention {
  std::string mechanism{};  ///< empty: the model's
  Index heads = 0;          ///< 0: the model's
  Index window = 0;  ///< of self-attention: tokens to each side, or before, that are seen; 0: all
};

/// What a model is made of: all that must be known to build it before its weights are read. The
/// defaults are the preset "small".
struct ModelSpec {
  std::string architecture = "transformer";
  Index source_vocabulary = 0, target_vocabulary = 0;  ///< V of each side
  Index width = 256, hidden = 1024;                    ///< D, F
  Index heads = 4, kv_heads = 0;                       ///< H, G; 0: H
  Index encoder_layers = 3, decoder_layers = 3;
  std::string position = "sinusoidal";
  std::string mechanism = "scaled-dot";
  std::string activation = "relu";
  bool pre_norm = false;
  std::string encoder_norm{}, decoder_norm{};  ///< where the norms stand; empty: as pre_norm says
  OwnAttention encoder{}, decoder{}, cross{};
  std::string tied = "all";  ///< which tables are one: source, target and output; target and output
  double dropout = 0.2, attention_dropout = 0.1, ffn_dropout = 0.1;
  double epsilon = 1e-5;
  Index max_length = 512;             ///< positions of a learned table
  Index first_position = 0;           ///< what the first token's position is called
  Index context = 336, horizon = 96;  ///< of series: values seen, values forecast
  Index patch = 16, stride = 8;       ///< of series: values of a patch, and from one to the next
  bool causal = false;                ///< patches see those before them alone
  std::string quantiles{};            ///< that are forecast, as "0.1,0.5,0.9"; empty: the mean
  Index image_size = 64, image_patch = 8;  ///< of images: pixels of a side, and of a patch's side

  const OwnAttention& own(AttentionKind kind) const {
    return kind == AttentionKind::encoder   ? encoder
           : kind == AttentionKind::decoder ? decoder
                                            : cross;
  }

  void each(auto&& visit) {
    visit(Field::choice("architecture", "what kind of model", architecture_names()), architecture);
    visit(
        Field{"source_vocabulary", "size of the source vocabulary, V; set by training", 0, 1 << 24},
        source_vocabulary);
    visit(
        Field{"target_vocabulary", "size of the target vocabulary, V; set by training", 0, 1 << 24},
        target_vocabulary);
    visit(Field{"d_model", "model width, D", 1, 1 << 16}, width);
    visit(Field{"d_hidden", "width of feed-forward layers or of GRU states, F", 1, 1 << 18},
          hidden);
    visit(Field{"heads", "attention heads, H", 1, 1 << 10}, heads);
    visit(Field{"kv_heads", "key and value heads; 0: as many as heads", 0, 1 << 10}, kv_heads);
    visit(Field{"encoder_layers", "encoder layers", 1, 256}, encoder_layers);
    visit(Field{"decoder_layers", "decoder layers", 1, 256}, decoder_layers);
    visit(Field{"position", "position scheme"}, position);
    visit(Field{"attention", "attention mechanism"}, mechanism);
    visit(Field::choice("activation", "of feed-forward layers", {"relu", "gelu", "swish"}),
          activation);
    visit(Field{"pre_norm", "pre-norm instead of post-norm"}, pre_norm);
    visit(Field::choice("encoder_norm", "norms of the encoder; empty: as pre_norm",
                        {"", "pre", "post"}),
          encoder_norm);
    visit(Field::choice("decoder_norm", "norms of the decoder; empty: as pre_norm",
                        {"", "pre", "post"}),
          decoder_norm);
    visit(Field::choice(
              "tied", "embeddings to share: all (source, target, output), target (target, output)",
              {"all", "target", "none"}),
          tied);
    visit(Field{"dropout", "on embeddings and sub-layers", 0, 0.99}, dropout);
    visit(Field{"attention_dropout", "on attention weights", 0, 0.99}, attention_dropout);
    visit(Field{"ffn_dropout", "inside feed-forward layers", 0, 0.99}.formerly("hidden_dropout"),
          ffn_dropout);
    visit(Field{"epsilon", "inside layer norm", 1e-12, 1}, epsilon);
    visit(Field{"max_length", "positions of a learned table", 1, 1 << 20}, max_length);
    visit(Field{"first_position", "index of the first position", 0, 1}, first_position);
    visit(Field{"context", "of series: steps that a forecast sees", 2, 1 << 16}, context);
    visit(Field{"horizon", "of series: steps that are forecast at once", 1, 1 << 16}, horizon);
    visit(Field{"patch", "of series: steps that make a patch", 1, 1 << 16}, patch);
    visit(Field{"stride", "of series: steps from a patch to the next", 1, 1 << 16}, stride);
    visit(Field{"causal", "of series: patches see only those before them"}, causal);
    visit(Field{"quantiles", "of series: those forecast, as 0.1,0.5,0.9; empty: the mean"},
          quantiles);
    visit(Field{"image_size", "of images: pixels of a side, to which they are scaled", 1, 1 << 10},
          image_size);
    visit(Field{"image_patch", "of images: pixels of the side of a patch", 1, 1 << 10},
          image_patch);
    visit(Field{"encoder_attention", "mechanism of the encoder; empty: as attention"},
          encoder.mechanism);
    visit(Field{"decoder_attention", "mechanism of the decoder; empty: as attention"},
          decoder.mechanism);
    visit(Field{"cross_attention", "mechanism from decoder to encoder; empty: as attention"},
          cross.mechanism);
    visit(Field{"encoder_heads", "heads of the encoder; 0: as heads", 0, 1 << 10}, encoder.heads);
    visit(Field{"decoder_heads", "heads of the decoder; 0: as heads", 0, 1 << 10}, decoder.heads);
    visit(Field{"cross_heads", "heads from decoder to encoder; 0: as heads", 0, 1 << 10},
          cross.heads);
    visit(Field{"encoder_window", "tokens to each side that a token sees; 0: all", 0, 1 << 20},
          encoder.window);
    visit(Field{"decoder_window", "tokens before it that a token sees; 0: all", 0, 1 << 20},
          decoder.window);
  }
};

}  // namespace regard
