#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "regard/image/image.h"
#include "regard/image/patches.h"
#include "regard/model/model_folder.h"

namespace regard {

/// What a model of the spec cuts a picture into.
PatchGrid grid_of(const ModelSpec& spec);

/// Where the model looked as it said each token: [tokens][patches].   REQUIRES the size of the grid
std::vector<std::vector<double>> looks_of(const LoadedModel& model, const Image& square,
                                          const std::vector<std::int32_t>& ids,
                                          const AlignmentHead& head);

/// The text of each token by itself, as it stands in the caption.
std::vector<std::string> token_texts(const Tokenizer& tokenizer, std::span<const std::int32_t> ids);

}  // namespace regard
