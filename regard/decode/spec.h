#pragma once

#include "regard/base/real.h"
#include "regard/config/field.h"

namespace regard {

/// The widest beam and the most samples of a sentence that settings may ask for: each is a row of
/// the model with memory of its own.
inline constexpr Index kMaxHypotheses = 1024;

/// How a translation is looked for.
struct DecodeSpec {
  Index beam = 4;             ///< hypotheses kept at a time; 1 is greedy search
  Index n_best = 1;           ///< hypotheses handed out, at most `beam`; samples where sampling
  double length_penalty = 1;  ///< alpha of score = log p / ((5 + |Y|) / 6)^alpha, end counted
  Index max_length = 256;     ///< tokens generated, without the end; goes before min_length
  double max_ratio = 2;       ///< at most this times the source's tokens + 10; 0: no such limit
  Index min_length = 0;       ///< no end before that many tokens
  bool sample = false;        ///< draws tokens instead of searching
  double temperature = 1;     ///< of drawing: p^(1 / temperature), renormalised
  Index top_k = 0;            ///< draws among that many likeliest tokens; 0: among all
  double top_p = 1;           ///< draws among the fewest likeliest that hold this probability
  Index seed = 1;             ///< of drawing
  Index batch_tokens = 0;     ///< at most that many source tokens a thread has at work, once for
                              ///< each hypothesis; 0: what suits the model (batch_tokens, search.h)

  /// How many a sentence has at work at most.
  Index hypotheses() const { return sample ? n_best : beam; }

  void each(auto&& visit) {
    visit(Field{"beam", "beam size; 1: greedy", 1, kMaxHypotheses}, beam);
    visit(Field{"n_best", "translations per sentence", 1, kMaxHypotheses}, n_best);
    visit(Field{"length_penalty", "alpha: score is log p / ((5 + length) / 6)^alpha", -10, 10},
          length_penalty);
    visit(Field{"max_length", "maximum tokens of a translation", 0, 1 << 20}, max_length);
    visit(Field{"max_ratio", "at most this times the source tokens, plus 10; 0: no limit", 0, 1e6},
          max_ratio);
    visit(Field{"min_length", "minimum tokens of a translation", 0, 1 << 20}, min_length);
    visit(Field{"sample", "sample tokens instead of searching"}, sample);
    visit(Field{"temperature", "below 1 more conservative, above 1 more random", 1e-3, 1e3},
          temperature);
    visit(Field{"top_k", "sample from the K likeliest tokens; 0: from all", 0, 1 << 24}, top_k);
    visit(Field{"top_p", "sample from the likeliest tokens that together have this probability",
                1e-9, 1},
          top_p);
    visit(Field{"seed", "random seed of sampling", 0, 9007199254740992.0}, seed);
    visit(Field{"batch_tokens",
                "maximum source tokens per batch and thread; "
                "0: 1024, wide float32 models up to 4096",
                0, 1 << 24},
          batch_tokens);
  }
};

}  // namespace regard
