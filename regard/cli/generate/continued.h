#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "regard/tokens/tokenizer.h"

namespace regard {

/// A prompt with what a model added.
struct Continued {
  std::string text, continuation;  ///< the latter is what was added
};

/// The prompt as it was typed, and behind it what the ids beyond the first `given`, which are those
/// of the prompt, add to the decoded text; its space is left out where the prompt ends in one.
/// Where they change what the prompt itself decodes to, as an accent after its last letter does, it
/// is what they decode to by themselves.
Continued continued(std::string_view prompt, std::size_t given, std::span<const std::int32_t> ids,
                    const Tokenizer& tokenizer);

/// The same characters on one line of a terminal or a table: white space and control characters
/// become plain spaces, one for one, and broken bytes U+FFFD.
std::string on_a_line(std::string_view text);

}  // namespace regard
