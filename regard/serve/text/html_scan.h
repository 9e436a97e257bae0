#pragma once

#include <string>
#include <string_view>

namespace regard {

/// A part of an HTML text.
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

/// The part at the front of an HTML text of any bytes; parts joined are the text again. Time is
/// linear in the part, or in the text where what begins there never ends.   REQUIRES html not empty
HtmlPart first_part(std::string_view html);

/// The characters an entity at the front of a text stands for, and how many bytes it takes: 0 where
/// none of ours begins there.   "&amp;..." -> "&", 5
struct Entity {
  std::string characters{};
  std::size_t size = 0;
};
Entity first_entity(std::string_view text);

/// The length of what looks like an entity at the front, known or not: "&foo;" -> 5; 0: none.
std::size_t entity_length(std::string_view text);

/// The text with &, < and > as entities.
std::string escaped_html(std::string_view text);

}  // namespace regard
