#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "regard/base/real.h"
#include "regard/serve/http/head.h"

namespace regard {

/// A chunked body, decoded as its bytes arrive (RFC 9112, section 7.1). Extensions and trailers are
/// checked and dropped. Both the body and the bytes spent on framing it are bounded.
class Chunks {
 public:
  explicit Chunks(Index body_bytes) : body_bytes_(body_bytes) {}

  /// Decodes from the front of `bytes`; returns how many of them belong to this body. Once ended()
  /// or refused it takes no more.
  std::size_t feed(std::string_view bytes);

  bool ended() const { return at_ == At::end; }
  const std::optional<BadRequest>& refusal() const { return refusal_; }
  const std::string& body() const { return body_; }
  std::string take() { return std::move(body_); }

 private:
  enum class At { size, data, data_end, trailer, end };

  void step(char c);
  void end_line();
  void open_chunk();
  void refuse(int status, std::string_view text) { refusal_ = BadRequest{status, text}; }

  Index body_bytes_, framing_ = 0, left_ = 0;
  At at_ = At::size;
  std::string line_{}, body_{};
  std::optional<BadRequest> refusal_{};
};

}  // namespace regard
