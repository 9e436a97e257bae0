#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace regard {

/// An attribute as it stands in a tag, without its quotes.
struct HtmlAttribute {
  std::string_view name, value;
};

/// A token of HTML: a range of the source's bytes, never rewritten.
struct HtmlToken {
  enum class Kind {
    text,     ///< characters; also what a <script> or a <title> holds
    start,    ///< a start tag
    end,      ///< an end tag
    comment,  ///< a comment, and what readers take for one: <?x>, <!x>, </ x>; or drop: </>
    doctype,
    cut,  ///< a tag or comment that the source ends in
  };

  Kind kind = Kind::text;
  std::string_view bytes;
  std::string name{};                       ///< of a tag, in lower case
  std::vector<HtmlAttribute> attributes{};  ///< of a tag, in order; a name may come twice
  bool self_closing = false;                ///< ends in "/>"

  /// The value that counts, the first; empty if there is none.
  std::string_view value(std::string_view attribute) const;
};

/// How the bytes behind a tag are read.
struct HtmlContent {
  enum class Kind {
    markup,
    text,       ///< no tag but the end tag of `element`, as in <title> and <style>
    script,     ///< the same, if "<!-- <script>" hides one end tag
    plaintext,  ///< no tag ever
  };

  Kind kind = Kind::markup;
  std::string_view element{};
  bool foreign = false;  ///< inside <svg> or <math>: <![CDATA[ ]]> is text
};

/// The token at the front of HTML of any bytes, cut as the HTML standard's tokenizer cuts (WHATWG,
/// section 13.2.5). Time is linear in the token.   REQUIRES html not empty
HtmlToken first_token(std::string_view html, const HtmlContent& content = {});

}  // namespace regard
