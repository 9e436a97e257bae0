#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regard/serve/html/token.h"

namespace regard {

/// HTML of any bytes as a browser reads it. The tokens' bytes joined are the HTML again, and none
/// is empty. Time is n log n.
std::vector<HtmlToken> html_tokens(std::string_view html);

/// A part of an HTML text, as translation sees it.
struct HtmlPart {
  enum class Kind {
    text,    ///< characters, with entities
    opens,   ///< an opening tag
    closes,  ///< a closing tag
    stands,  ///< a tag of no content, a comment, an element whose content is not to be touched
    breaks,  ///< what ends a sentence: the tag of a block, a declaration
  };

  Kind kind = Kind::text;
  std::string_view bytes;  ///< as they stand in the text
  std::string name{};      ///< of a tag, in lower case
};

/// The same as parts, each of one token or more.
std::vector<HtmlPart> html_parts(std::string_view html);

}  // namespace regard
