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
  double clip = 1;
  double label_smoothing = 0.1;
  double r_drop = 0;
  double average_decay = 0;
  Index average_best = 5;
  Index validate_every = 0, validate_sentences = 1000, patience = 0;
  Index log_every = 50, save_every = 500, keep = 2, samples = 3;
  Index seed = 1;

  void each(auto&& visit) {
    visit(Field{"steps", "updates in all; 0: as many as the epochs take", 0, 1e9}, steps);
    visit(Field{"epochs", "times through the data; 0: as many as the steps take", 0, 1e6}, epochs);
    visit(Field{"batch_tokens", "tokens of a batch on the longer side", 1, 1 << 24}, batch_tokens);
    visit(Field{"accumulate", "batches of one update", 1, 1 << 16}, accumulate);
    visit(Field{"optimiser", "adam, adamw or sgd"}, optimiser);
    visit(Field{"learning_rate", "at its highest", 0, 1e3}, learning_rate);
    visit(Field{"beta1", "of Adam", 0, 0.999999}, beta1);
    visit(Field{"beta2", "of Adam", 0, 0.999999}, beta2);
    visit(Field{"adam_epsilon", "of Adam", 1e-30, 1}, adam_epsilon);
    visit(Field{"weight_decay", "of AdamW and SGD", 0, 1}, weight_decay);
    visit(Field{"momentum", "of SGD", 0, 0.999999}, momentum);
    visit(Field{"schedule", "inverse-sqrt, cosine or constant"}, schedule);
    visit(Field{"warmup", "updates until the learning rate is at its highest", 0, 1e9}, warmup);
    visit(Field{"clip", "longest gradient; 0: any", 0, 1e9}, clip);
    visit(Field{"label_smoothing", "share of probability spread over all tokens", 0, 0.99},
          label_smoothing);
    visit(Field{"r_drop", "weight of agreement between two dropouts; 0: off", 0, 100}, r_drop);
    visit(Field{"average_decay", "of the running mean of weights, such as 0.999; 0: off", 0,
                0.9999999},
          average_decay);
    visit(Field{"average_best", "best validations whose weights are averaged at the end", 1, 100},
          average_best);
    visit(Field{"validate_every", "updates between validations; 0: once an epoch", 0, 1e9},
          validate_every);
    visit(Field{"validate_sentences", "translated for BLEU at each validation", 0, 1e9},
          validate_sentences);
    visit(Field{"patience", "validations without a better one before stopping; 0: never stop", 0,
                1e6},
          patience);
    visit(Field{"log_every", "updates between lines of metrics", 1, 1e9}, log_every);
    visit(Field{"save_every", "updates between checkpoints", 1, 1e9}, save_every);
    visit(Field{"keep", "checkpoints kept", 1, 1000}, keep);
    visit(Field{"samples", "translations shown at each validation", 0, 100}, samples);
    visit(Field{"seed", "of everything random", 0, 1e15}, seed);
  }
};

/// Throws Error(usage) where a training by it could not begin or would never end.
void check_spec(const TrainSpec& spec);

}  // namespace regard
