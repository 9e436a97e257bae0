#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "regard/model/model_folder.h"

namespace regard {

/// The tokens of a text that translations are to begin with. Throws Error(usage) that begins with
/// `option`, as "--prefix", if the model does not know a word of it or has no positions for so many
/// tokens.
std::vector<std::int32_t> forced_prefix(const ModelInfo& info, std::string_view text,
                                        std::string_view option);

}  // namespace regard
