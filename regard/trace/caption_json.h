#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "regard/decode/hypothesis.h"
#include "regard/image/image.h"
#include "regard/model/model_folder.h"

namespace regard {

/// What a model says of a square picture, best first, and where it looked as it said the first:
/// {"caption", "score", "log_probability", "finished", "patches_across", "head", "words": [{"text",
/// "probability", "weights"}]}, and "hypotheses" where there are several. The head is the one that
/// the model's config names.   REQUIRES one at least, and the size of the model's grid
nlohmann::ordered_json caption_json(const LoadedModel& model, const Image& square,
                                    std::span<const Hypothesis> best);

}  // namespace regard
