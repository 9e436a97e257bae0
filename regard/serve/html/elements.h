#pragma once

#include <string_view>

namespace regard {

/// What an element's name says about it; an element has several.
struct HtmlTrait {
  enum : unsigned {
    // for translation
    phrase = 1U << 0,       ///< stands inside a sentence
    alone = 1U << 1,        ///< the same, without content
    kept_inline = 1U << 2,  ///< the same, with content that is not to be translated
    kept_block = 1U << 3,   ///< ends a sentence, with content that is not to be translated
    // for reading
    empty = 1U << 4,       ///< has no content and no end tag
    text_only = 1U << 5,   ///< has no tags inside
    special = 1U << 6,     ///< an end tag of another kind of name does not reach through it
    scope = 1U << 7,       ///< no end tag but a table's reaches through it
    formatting = 1U << 8,  ///< goes on behind the end of what it stands in
    marker = 1U << 9,      ///< the formatting inside it does not
    ends_p = 1U << 10,     ///< its start is the end of a paragraph
    heading = 1U << 11,
    in_head = 1U << 12,        ///< its start is not the end of <head>
    in_table = 1U << 13,       ///< a part of a table
    leaves_foreign = 1U << 14  ///< its start is the end of <svg> and <math>
  };
};

/// The traits of an HTML element's name, given in lower case; 0: an unknown one.
unsigned html_traits(std::string_view name);

}  // namespace regard
