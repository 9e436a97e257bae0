#pragma once

#include <sstream>
#include <string>

#include "regard/serve/http/message.h"

namespace regard {

/// Thrown while a request is read: the answer that says why it is not taken. Never leaves serve/.
struct Refusal {
  int status = 400;
  std::string text;
  Headers headers{};
};

/// Throws a Refusal with status 400 and the parts joined.
template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  (text << ... << parts);
  throw Refusal{.status = 400, .text = text.str()};
}

}  // namespace regard
