#pragma once

#include <span>
#include <string_view>

#include "regard/serve/http/message.h"
#include "regard/serve/text/translate_texts.h"

namespace regard {

/// Names the words that the vocabulary does not have, or not all of, for routes whose answers have
/// no room for it: each once, percent-encoded UTF-8, commas between them, at most a kilobyte, of
/// which "..." is the end if it is cut. No header if everything is known.
inline constexpr std::string_view kUnknownHeader = "X-Regard-Unknown-Words";
void add_unknown_header(HttpResponse& response, std::span<const TextAnswer> answers);

}  // namespace regard
