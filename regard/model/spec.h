#pragma once

#include <string>

#include "regard/base/real.h"
#include "regard/config/field.h"

namespace regard {

/// What a translation model is made of: all that must be known to build it before its weights are
/// read. The defaults are the preset "small".
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
  std::string tied = "all";  ///< which tables are one: source, target and output; target and output
  double dropout = 0.2, attention_dropout = 0.1, ffn_dropout = 0.1;
  double epsilon = 1e-5;
  Index max_length = 512;    ///< positions of a learned table
  Index first_position = 0;  ///< what the first token's position is called

  void each(auto&& visit) {
    visit(Field::choice("architecture", "what kind of model", {"transformer", "bahdanau"}),
          architecture);
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
  }
};

}  // namespace regard
