#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"

namespace regard {

// Numbers as text, the same in every locale: a point for decimals and nothing between thousands.

/// The whole text as a number, or nothing. A leading '+' is taken; nan and inf are numbers too, and
/// what is too large for f64 is inf, what is too small 0.
std::optional<double> parse_number(std::string_view text);

/// The whole text as a whole number, or nothing.
std::optional<Index> parse_whole(std::string_view text);

/// The same with a unit: "8k" is 8,000, "2M" is 2,000,000.
std::optional<Index> parse_count(std::string_view text);

/// "2,6" -> 2, 6. Throws Error(usage) naming `what` and the place in the list.
std::vector<Index> parse_wholes(std::string_view text, std::string_view what);

/// "a,b,c" -> a, b, c. An empty text is one empty part.
std::vector<std::string> split_at_commas(std::string_view text);

/// The text without spaces at its ends.
std::string_view trimmed(std::string_view text);

}  // namespace regard
