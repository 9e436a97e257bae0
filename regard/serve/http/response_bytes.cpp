#include "regard/serve/http/response_bytes.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/status.hpp>
#include <iterator>

namespace regard {
namespace {

/// Of every answer: no guessing at types, no copy kept, no frame around it, no address told onward.
constexpr std::string_view kGuards =
    "X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nX-Frame-Options: DENY\r\n"
    "Referrer-Policy: no-referrer\r\n";

bool is_ours(std::string_view name) {
  return same_word(name, "Content-Length") || same_word(name, "Transfer-Encoding") ||
         same_word(name, "Connection");
}

bool is_safe(std::string_view value) {
  return std::ranges::none_of(
      value, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

bool is_sendable(const HttpResponse& response) {
  return response.status >= 200 && response.status <= 599 && is_safe(response.type) &&
         std::ranges::all_of(response.headers, [](const auto& header) {
           return is_token(header.first) && is_safe(header.second);
         });
}

std::string_view reason(int status) {
  namespace http = boost::beast::http;
  const boost::beast::string_view text =
      http::obsolete_reason(http::int_to_status(static_cast<unsigned>(status)));
  return {text.data(), text.size()};
}

}  // namespace

ResponseBytes response_bytes(HttpResponse response, ResponseForm form) {
  if (!is_sendable(response))
    response = internal_error("a response with a malformed status or header");
  const bool has_body = response.status != 204 && response.status != 304;
  ResponseBytes bytes;
  auto out = std::back_inserter(bytes.head);
  fmt::format_to(out, "HTTP/1.1 {} {}\r\n", response.status, reason(response.status));
  if (has_body)
    fmt::format_to(out, "Content-Type: {}\r\nContent-Length: {}\r\n", response.type,
                   response.body.size());
  if (form.close) fmt::format_to(out, "Connection: close\r\n");
  for (const auto& [name, value] : response.headers)
    if (!is_ours(name)) fmt::format_to(out, "{}: {}\r\n", name, value);
  bytes.head.append(kGuards).append("\r\n");
  if (has_body && !form.body_left_out) bytes.body = std::move(response.body);
  return bytes;
}

HttpResponse refusal_response(const BadRequest& refusal) {
  HttpResponse response = error_response(refusal.status, refusal.text);
  if (refusal.status == 405) response.headers.emplace_back("Allow", "GET, HEAD, POST, OPTIONS");
  if (refusal.status == 415) response.headers.emplace_back("Accept-Encoding", "gzip, identity");
  if (refusal.status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

}  // namespace regard
