#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "regard/decode/line.h"

namespace regard {

/// What stands inside a sentence of HTML and is no word: a tag, a comment, an element to keep.
struct InlineTag {
  enum class Kind { opens, closes, stands };  ///< an element, one, or alone

  std::string text;  ///< "<b>", "</b>", "<img src=x>"
  Kind kind = Kind::stands;
  Index word = 0;      ///< words of the passage that began before it
  Index partner = -1;  ///< the tag of the passage that closes or opens the same element; -1: none
  bool space_before = false, space_after = false;
};

/// A sentence to translate, and what comes before it.
struct Passage {
  std::string before;     ///< kept as it is
  std::string text;       ///< to translate: has a letter or a digit, and no space at its ends
  std::size_t start = 0;  ///< of plain text: its first byte in the text
  std::vector<InlineTag> tags{};
  std::string source{};        ///< of HTML: the bytes that are to translate
  bool cut_reference = false;  ///< `before` ends in a character reference without its semicolon
};

/// A text as what is to translate and what is to keep.
struct Document {
  std::vector<Passage> passages;
  std::string rest;  ///< after the last passage
  bool html = false;
};

/// What a text is cut into. Line breaks within a passage become spaces.
enum class Splitting {
  none,             ///< one passage
  sentences,        ///< sentences, which may go on in the next line
  lines_sentences,  ///< sentences, which end with their line
};

/// Sentences are passages. Line breaks and space between them, and sentences without letter or
/// digit, stay as they are.
Document plain_document(std::string_view text, Splitting splitting = Splitting::lines_sentences);

/// The text with one translation for each passage; tags go where the words went that they stood
/// by. A space is added between sentences that had none if the script needs it. A passage that is
/// its own translation comes out byte for byte.   REQUIRES one for each passage
std::string rendered(const Document& document, const std::vector<const LineTranslation*>& by);

/// Whether there is anything to translate: a letter or a digit of any script.
bool has_word(std::string_view text);

}  // namespace regard
