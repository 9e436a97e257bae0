#pragma once

#include <string>
#include <string_view>

namespace regard {

/// What a character reference stands for, and how many bytes it takes.   "&amp;..." -> "&", 5
struct Entity {
  std::string characters{};
  std::size_t size = 0;
};

/// The reference at the front of a text, with its semicolon or, if the HTML standard allows it,
/// without: "&ampersand" is "&" and "ersand", "&#x80" is a euro sign. Size 0: none of ours.
Entity first_entity(std::string_view text);

/// The length of what looks like a named reference at the front, known or not: "&foo;" -> 5; 0:
/// none.
std::size_t entity_length(std::string_view text);

/// The text with &, < and > as entities.
std::string escaped_html(std::string_view text);

}  // namespace regard
