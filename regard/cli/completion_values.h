#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// The words that an option of a command takes, for completion; none if it takes no fixed ones.
std::vector<std::string> completion_values(std::string_view command, std::string_view option);

/// The same of what stands without an option.
std::vector<std::string> completion_words(std::string_view command);

}  // namespace regard
