#pragma once

#include <string>

#include "regard/serve/http/head.h"
#include "regard/serve/http/message.h"

namespace regard {

/// A response as bytes to send.
struct ResponseBytes {
  std::string head{}, body{};
};

/// What the request decides about its response.
struct ResponseForm {
  bool body_left_out = false, close = false;
};

/// Content-Length is always there; Content-Length, Transfer-Encoding and Connection are not taken
/// from the response. A header that could break the message apart makes it internal_error().
ResponseBytes response_bytes(HttpResponse response, ResponseForm form);

/// The response for a request that is not taken, with the header its status asks for.
HttpResponse refusal_response(const BadRequest& refusal);

}  // namespace regard
