#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace regard {

/// Bytes [start, end) of a text: a sentence with the marks that close it.
struct SentenceRange {
  std::size_t start, end;

  std::string_view of(std::string_view text) const { return text.substr(start, end - start); }
};

/// What a line break means: the end of a sentence, or a space like any other.
enum class Newlines { end_sentences, are_spaces };

/// The sentences of any bytes, in order. What is between, before and after them is white space
/// alone (is_space), so ranges and gaps together are the text; a gap is empty in scripts that put
/// no space after a stop. A sentence is never empty, has no white space at either end, begins and
/// ends between characters, and is one sentence when split again. Time is linear.
///
/// A sentence ends after . ! ? and their like in other scripts, with the quotes and brackets that
/// close there. A full stop does not end one after an abbreviation (tokens/abbreviations.h), an
/// initial or the number of a list, in a number or an address; nor does any stop before a
/// lower-case letter, unless the sentence has no capital at all. In doubt there is no cut: two
/// sentences read together harm less than half a sentence read alone. Scripts that mark no ends
/// (Thai, Lao) are cut at line breaks only.
std::vector<SentenceRange> split_sentences(std::string_view text,
                                           Newlines newlines = Newlines::end_sentences);

/// Whether a sentence needs a space after the text before it: not at white space, and not where
/// either side is of a script that is written without (Chinese, Japanese, Thai and their like).
bool needs_space(std::string_view before, std::string_view sentence);

}  // namespace regard
