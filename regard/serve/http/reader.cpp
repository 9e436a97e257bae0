#include "regard/serve/http/reader.h"

#include <algorithm>

#include "regard/serve/http/gzip.h"

namespace regard {

RequestReader::At RequestReader::feed(std::string& inbox) {
  // Some clients end a body with a line end that is not part of it; RFC 9112 section 2.2 lets one
  // empty line pass.
  if (at_ == At::start && !skipped_line_ && inbox.starts_with('\r')) {
    if (inbox.size() == 1) return at_;
    skipped_line_ = true;
    if (inbox[1] == '\n') inbox.erase(0, 2);
  }
  if (at_ == At::start && !inbox.empty()) at_ = At::head;
  if (at_ == At::head) feed_head(inbox);
  if (at_ == At::body) feed_body(inbox);
  return at_;
}

RequestReader::At RequestReader::end() {
  if (at_ == At::head) refuse({400, "the request ends inside its head"});
  if (at_ == At::body) refuse({400, "the body ends before its length"});
  return at_;
}

Index RequestReader::body_bytes() const {
  const std::string& body = chunks_            ? chunks_->body()
                            : at_ == At::whole ? head_.request.body
                                               : body_;
  return static_cast<Index>(body.size());
}

void RequestReader::feed_head(std::string& inbox) {
  // The head may not be longer than a line and all headers; what follows is not looked at.
  const auto found = head_end_.find(inbox);
  if (const BadRequest* refusal = std::get_if<BadRequest>(&found)) {
    head_.body_left_out = inbox.starts_with("HEAD ");
    return refuse(*refusal);
  }
  const std::size_t size = std::get<std::size_t>(found);
  if (size == 0) return;
  auto read = read_head(std::string_view(inbox).substr(0, size));
  if (const BadRequest* refusal = std::get_if<BadRequest>(&read)) {
    head_.body_left_out = inbox.starts_with("HEAD ");
    return refuse(*refusal);
  }
  head_ = std::get<Head>(std::move(read));
  inbox.erase(0, size);
  if (head_.length > max_body_bytes_) return refuse({413, "the body is too large"});
  at_ = At::body;
  if (head_.chunked) chunks_.emplace(max_body_bytes_);
}

void RequestReader::feed_body(std::string& inbox) {
  if (chunks_) {
    inbox.erase(0, chunks_->feed(inbox));
    if (chunks_->refusal()) return refuse(*chunks_->refusal());
    if (chunks_->ended()) finish(chunks_->take());
    return;
  }
  const std::size_t left = static_cast<std::size_t>(head_.length) - body_.size();
  const std::size_t count = std::min(left, inbox.size());
  body_.append(inbox, 0, count);
  inbox.erase(0, count);
  if (count == left) finish(std::move(body_));
}

void RequestReader::finish(std::string body) {
  if (head_.gzip && !body.empty()) {
    auto content = unpacked(body, max_body_bytes_);
    if (const BadRequest* refusal = std::get_if<BadRequest>(&content)) return refuse(*refusal);
    body = std::get<std::string>(std::move(content));
  }
  head_.request.body = std::move(body);
  chunks_.reset();
  at_ = At::whole;
}

void RequestReader::refuse(const BadRequest& refusal) {
  refusal_ = refusal;
  at_ = At::refused;
  body_ = {};
  chunks_.reset();
}

}  // namespace regard
