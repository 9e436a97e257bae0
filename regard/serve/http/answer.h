#pragma once

#include <string>

#include "regard/serve/http/head.h"
#include "regard/serve/http/message.h"

namespace regard {

/// An answer as bytes to send.
struct Answer {
  std::string head{}, body{};
};

/// How the request shapes its answer's bytes.
struct AnswerForm {
  bool body_left_out = false, close = false;
};

/// The bytes of a response. Its body's length is always told; headers that are ours to say
/// (Content-Length, Transfer-Encoding, Connection) are not taken from the response. A header that
/// could break the message apart makes it internal_error().
Answer answer_of(HttpResponse response, AnswerForm form);

/// The response for a request that is not taken, with the header its status asks for.
HttpResponse refusal_response(const BadRequest& refusal);

}  // namespace regard
