#pragma once

#include <string>

#include "regard/base/real.h"
#include "regard/config/field.h"

namespace regard {

/// How a model is trained. The defaults suit the small presets on a few ten thousand sentences.
struct TrainSpec {
  Index steps = 0, epochs = 0;  ///< whichever comes first; 0: no such end
  Index batch_tokens = 2048, accumulate = 1;
  std::string optimiser = "adam";
  double learning_rate = 1e-3;  ///< at its highest
  double beta1 = 0.9, beta2 = 0.98, adam_epsilon = 1e-9, weight_decay = 0, momentum = 0.9;
  std::string schedule = "cosine";
  Index warmup = 800;
  double clip_norm = 1;
  double label_smoothing = 0.1;
  double r_drop = 0;
  double ema_decay = 0;
  Index average_best = 5;
  Index validate_every = 0, validate_sentences = 1000, patience = 0;
  Index log_every = 50, save_every = 500, keep = 2, samples = 3;
  Index seed = 1;

  void each(auto&& visit) {
    visit(Field{"steps", "optimiser steps in all; 0: as many as the epochs take", 0, 1e9}, steps);
    visit(Field{"epochs", "passes over the data; 0: as many as the steps take", 0, 1e6}, epochs);
    visit(Field{"batch_tokens", "tokens per batch, counted on the longer side", 1, 1 << 24},
          batch_tokens);
    visit(Field{"accumulate", "gradient accumulation: batches per step", 1, 1 << 16}, accumulate);
    visit(Field{"optimiser", "adam, adamw or sgd"}, optimiser);
    visit(Field{"learning_rate", "peak learning rate", 0, 1e3}, learning_rate);
    visit(Field{"beta1", "of Adam", 0, 0.999999}, beta1);
    visit(Field{"beta2", "of Adam", 0, 0.999999}, beta2);
    visit(Field{"adam_epsilon", "of Adam", 1e-30, 1}, adam_epsilon);
    visit(Field{"weight_decay", "of AdamW and SGD", 0, 1}, weight_decay);
    visit(Field{"momentum", "of SGD", 0, 0.999999}, momentum);
    visit(Field{"schedule", "inverse-sqrt, cosine or constant"}, schedule);
    visit(Field{"warmup", "steps until the peak learning rate", 0, 1e9}, warmup);
    visit(Field{"clip_norm", "maximum gradient norm; 0: no limit", 0, 1e9}.formerly("clip"),
          clip_norm);
    visit(Field{"label_smoothing", "probability mass spread over all tokens", 0, 0.99},
          label_smoothing);
    visit(Field{"r_drop", "weight of the R-Drop loss; 0: off", 0, 100}, r_drop);
    visit(Field{"ema_decay", "EMA of the weights: its decay, such as 0.999; 0: off", 0, 0.9999999}
              .formerly("average_decay"),
          ema_decay);
    visit(Field{"average_best", "best checkpoints to average at the end", 1, 100}, average_best);
    visit(Field{"validate_every", "steps between validations; 0: once per epoch", 0, 1e9},
          validate_every);
    visit(Field{"validate_sentences", "sentences to translate for BLEU at each validation", 0, 1e9},
          validate_sentences);
    visit(Field{"patience", "early stopping: validations without improvement; 0: off", 0, 1e6},
          patience);
    visit(Field{"log_every", "steps between lines of metrics", 1, 1e9}, log_every);
    visit(Field{"save_every", "steps between checkpoints", 1, 1e9}, save_every);
    visit(Field{"keep", "checkpoints to keep", 1, 1000}, keep);
    visit(Field{"samples", "sample translations to show at each validation", 0, 100}, samples);
    visit(Field{"seed", "random seed", 0, 1e15}, seed);
  }
};

/// Throws Error(usage) if a training by it could not begin or would never end.
void check_spec(const TrainSpec& spec);

}  // namespace regard
