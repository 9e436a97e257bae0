#pragma once

#include <cstddef>

#include "regard/cli/source.h"
#include "regard/model/model_folder.h"

namespace regard {

/// Throws Error that names the source, and its line if that is not 0, unless the model has
/// positions for so many tokens and their end: a learned table of them ends somewhere.
void check_length(const ModelInfo& info, std::size_t tokens, const InputSource& from, Index number);

}  // namespace regard
