#pragma once

#include <sstream>
#include <string>

#include "regard/serve/http/message.h"

namespace regard {

/// Thrown while a request is read: the answer that says why it is not taken. Never leaves serve/.
struct HttpError {
  int status = 400;
  std::string text;
  Headers headers{};
};

/// For one who may come back in a second.
inline HttpError later(std::string text) {
  return {.status = 503, .text = std::move(text), .headers = {{"Retry-After", "1"}}};
}

/// For a model that has too much to do.
inline HttpError queue_full() {
  return later("too many requests at a time; try again soon");
}

/// Throws a HttpError with status 400 and the parts joined.
template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  (text << ... << parts);
  throw HttpError{.status = 400, .text = text.str()};
}

inline HttpResponse response_of(const HttpError& refusal) {
  HttpResponse response = error_response(refusal.status, refusal.text);
  response.headers = refusal.headers;
  return response;
}

}  // namespace regard
