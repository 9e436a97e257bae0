#pragma once

#include <optional>
#include <string>
#include <vector>

#include "regard/base/check.h"

namespace regard {

/// What is to be inspected: one sentence, or the lines of a file.
struct Sentences {
  std::vector<std::string> texts;
  std::string file;  ///< as messages call it; empty: one sentence that was typed or piped in

  bool many() const { return !file.empty(); }
};

/// The words of the command line, or all of standard input, which must then be one line; with an
/// input file ("-": standard input) its lines. Throws Error.
Sentences sentences_of(const std::vector<std::string>& words,
                       const std::optional<std::string>& input);

/// The sentence that a page can hold: the first of a text that is none of a file's lines. Warns of
/// the others. The page that is served translates each by itself, and so does `regard translate`.
Sentences for_page(Sentences sentences);

/// An error about one of the sentences, with its file and line in front if there are many.
[[noreturn]] void fail_in(const Sentences& sentences, std::size_t number, const Error& error);

}  // namespace regard
