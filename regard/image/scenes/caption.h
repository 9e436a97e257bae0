#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "regard/image/scenes/scene.h"

namespace regard::scenes {

/// A word of a caption that says something of one object: its size, its colour or its shape. Words
/// of relations and articles are none of these.
struct NamingWord {
  std::size_t begin, end;  ///< bytes of the caption's text
  std::size_t object;      ///< of the content

  bool operator==(const NamingWord&) const = default;
};

struct Caption {
  std::string text{};
  std::vector<NamingWord> words{};  ///< in their order
};

/// "en" and "fr".
std::span<const std::string_view> languages();

/// The one sentence that is right: a content has one in each language, and no other content has the
/// same, but that a row and a column are both "between". Throws Error(usage) for another language.
Caption caption(const Content& content, std::string_view language);

}  // namespace regard::scenes
