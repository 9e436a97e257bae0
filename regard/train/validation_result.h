#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"
#include "regard/train/progress.h"

namespace regard {

/// A number that tells how good a model is.
struct Measure {
  std::string_view key;    ///< in files: "perplexity"
  std::string_view label;  ///< on the screen: "ppl"
  int digits = 2;          ///< behind the point, on the screen
  double value = 0;
};

/// An example of the validation set, as text.
struct Sample {
  std::string source, reference, output;
};

/// What a validation found.
struct ValidationResult {
  Index step = 0, epoch = 0;  ///< the latter from 1
  double loss = 0;            ///< per target, without smoothing
  std::vector<Measure> measures{};
  std::optional<Measure> quality{};  ///< what the best model has most of; none: the least loss
  std::vector<Sample> samples{};

  std::string_view quality_key() const { return quality ? quality->key : ""; }
  ValidationScore score() const { return {quality ? quality->value : -loss, loss}; }
};

}  // namespace regard
