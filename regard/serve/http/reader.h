#pragma once

#include <optional>
#include <string>

#include "regard/serve/http/chunks.h"
#include "regard/serve/http/head.h"

namespace regard {

/// One request, read from bytes as they arrive, however they are cut. Knows no socket: the same
/// bytes always give the same request or refusal.
class RequestReader {
 public:
  /// head, body: more bytes are needed; whole: take() it; refused: see refusal().
  enum class At { start, head, body, whole, refused };

  explicit RequestReader(Index max_body_bytes) : max_body_bytes_(max_body_bytes) {}

  /// Takes what belongs to this request from the front of `inbox` and leaves the rest.
  At feed(std::string& inbox);

  /// No more bytes will come: what is not whole by now is refused, if anything came at all.
  At end();

  At at() const { return at_; }
  Index body_bytes() const;  ///< of the body so far
  const Head& head() const { return head_; }
  const BadRequest& refusal() const { return refusal_; }
  HttpRequest take() { return std::move(head_.request); }

 private:
  void feed_head(std::string& inbox);
  void feed_body(std::string& inbox);
  void finish(std::string body);
  void refuse(const BadRequest& refusal);

  Index max_body_bytes_;
  At at_ = At::start;
  bool skipped_line_ = false;
  HeadEnd head_end_{};
  Head head_{};
  std::string body_{};
  std::optional<Chunks> chunks_{};
  BadRequest refusal_{};
};

}  // namespace regard
