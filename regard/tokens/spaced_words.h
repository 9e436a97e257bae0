#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// The words between the plain spaces of a text, in order; none is empty.
std::vector<std::string> spaced_words(std::string_view text);

}  // namespace regard
