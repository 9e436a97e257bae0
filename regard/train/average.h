#pragma once

#include <span>
#include <string>
#include <vector>

#include "regard/model/weights.h"

namespace regard {

/// The mean of the weights in several files, in the order and of the shapes of `like`.
std::vector<NamedParameter> averaged_weights(std::span<const std::string> paths,
                                             std::span<const NamedParameter> like,
                                             Symlinks links = Symlinks::follow);

}  // namespace regard
