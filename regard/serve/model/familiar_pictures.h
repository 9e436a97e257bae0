#pragma once

#include <nlohmann/json_fwd.hpp>

#include "regard/model/model_folder.h"

namespace regard {

/// Pictures to try a model of pictures with: [{"name", "caption", "image"}], a PNG in base64 and
/// the sentence that is right. They are scenes of the built-in corpus, of its test split; none for
/// a model whose vocabulary does not have each word of their captions whole, for it has learned
/// from something else.
nlohmann::ordered_json familiar_pictures(const ModelInfo& info);

}  // namespace regard
