#pragma once

#include <span>
#include <string>
#include <string_view>

namespace regard {

/// "; did you mean 'x'?" with the closest of the names, or "; known: a, b, c" where none is close.
std::string did_you_mean(std::string_view wrong, std::span<const std::string_view> names);

/// The same with the list in any case: for values, of which there are few.
std::string known_values(std::string_view wrong, std::span<const std::string_view> names);

}  // namespace regard
