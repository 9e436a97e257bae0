#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "regard/cli/text_file.h"
#include "regard/model/model_folder.h"

namespace regard {

/// What rounding changed: |exact - rounded| / |exact|, all elements together.
struct LayerError {
  std::string name;
  Shape shape;
  double weight = 0;  ///< of the weight alone
  double output = 0;  ///< of what the layer makes of rows drawn from a normal distribution
};

/// A model translating a text.
struct Translated {
  double bleu = 0, chrf = 0, seconds = 0;
  std::string bleu_signature{}, chrf_signature{};
};

/// What a model that was converted to int8 costs, and what it saves.
struct Receipt {
  std::vector<LayerError> layers;
  std::uintmax_t bytes_before = 0, bytes_after = 0;  ///< of the weights
  struct OnText {
    std::string source, reference;
    std::size_t lines = 0;
    Index beam = 0;
    Translated before, after;
  };
  std::optional<OnText> text{};

  nlohmann::ordered_json json() const;
  std::string shown() const;  ///< for people
};

/// Compares two folders; `text` is a source and its reference, or nothing.
Receipt receipt_of(const std::string& before, const std::string& after,
                   const std::vector<Text>& text);

}  // namespace regard
