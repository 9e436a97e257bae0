#include "regard/serve/http/head.h"

#include <algorithm>
#include <array>
#include <limits>

#include "regard/serve/http/target.h"

namespace regard {
namespace {

using Parts = std::vector<std::string_view>;

constexpr std::size_t kMaxMethodBytes = 32;

bool is_decimal(char c) {
  return c >= '0' && c <= '9';
}

bool is_token_char(char c) {
  return is_decimal(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool lists(std::string_view value, std::string_view word) {
  while (true) {
    const std::size_t comma = value.find(',');
    if (same_word(without_blanks(value.substr(0, comma)), word)) return true;
    if (comma == value.npos) return false;
    value.remove_prefix(comma + 1);
  }
}

/// The values of all headers of that name.
Parts all(const Headers& headers, std::string_view name) {
  Parts values;
  for (const auto& [key, value] : headers)
    if (same_word(key, name)) values.push_back(value);
  return values;
}

/// Leaves the target in the path, as it came.
std::optional<BadRequest> read_request_line(std::string_view line, Head& head) {
  constexpr BadRequest kBad{400, "the request line must be METHOD target HTTP/1.1"};
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == line.npos || first == last) return kBad;
  const std::string_view method = line.substr(0, first), version = line.substr(last + 1);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (!is_token(method) || method.size() > kMaxMethodBytes || target.empty()) return kBad;
  if (target.size() > kMaxTargetBytes)
    return BadRequest{414, "the target is longer than 8192 bytes"};
  if (!std::ranges::all_of(target, [](char c) { return c > 0x20 && c < 0x7f; }))
    return BadRequest{400, "the target has a space or a byte outside ASCII; escape it with %"};
  if (version.size() != 8 || !version.starts_with("HTTP/") || !is_decimal(version[5]) ||
      version[6] != '.' || !is_decimal(version[7]))
    return kBad;
  if (version[5] != '1') return BadRequest{505, "only HTTP/1.1 is spoken here"};
  head.old = version[7] == '0';
  head.body_left_out = method == "HEAD";
  head.request.method = head.body_left_out ? "GET" : method;
  head.request.path = target;
  return std::nullopt;
}

std::optional<BadRequest> read_headers(std::string_view lines, Head& head) {
  while (!lines.empty()) {
    const std::size_t end = lines.find("\r\n");
    const auto header = read_header(lines.substr(0, end));
    if (!header) return BadRequest{400, "a header line is not 'Name: value'"};
    head.request.headers.emplace_back(header->first, header->second);
    lines.remove_prefix(end + 2);
  }
  return std::nullopt;
}

/// One Host, of the characters hosts and ports are made of; HTTP/1.0 may leave it out.
std::optional<BadRequest> check_host(const Head& head) {
  const Parts hosts = all(head.request.headers, "Host");
  if (hosts.empty() && head.old) return std::nullopt;
  if (hosts.size() != 1) return BadRequest{400, "one Host header is needed"};
  const auto fits = [](char c) { return is_token_char(c) || c == ':' || c == '[' || c == ']'; };
  if (!std::ranges::all_of(hosts[0], fits)) return BadRequest{400, "the Host header is malformed"};
  return std::nullopt;
}

/// How long the body is: if two readers could differ, the request is refused.
std::optional<BadRequest> read_framing(Head& head) {
  const Parts lengths = all(head.request.headers, "Content-Length");
  const Parts codings = all(head.request.headers, "Transfer-Encoding");
  if (lengths.size() + codings.size() > 1)
    return BadRequest{400, "more than one Content-Length or Transfer-Encoding"};
  if (!codings.empty()) {
    if (head.old || !same_word(codings[0], "chunked"))
      return BadRequest{400, "Transfer-Encoding can only be chunked, with HTTP/1.1"};
    head.chunked = true;
  }
  if (!lengths.empty()) {
    const std::string_view digits = lengths[0];
    if (digits.empty() || !std::ranges::all_of(digits, is_decimal))
      return BadRequest{400, "Content-Length must be digits"};
    for (const char digit : digits) {
      if (head.length > std::numeric_limits<Index>::max() / 10 - 1)
        return BadRequest{413, "the body is too large"};
      head.length = head.length * 10 + (digit - '0');
    }
  }
  return std::nullopt;
}

std::optional<BadRequest> read_wishes(Head& head) {
  const Headers& headers = head.request.headers;
  for (const std::string_view value : all(headers, "Connection"))
    head.close = head.close || lists(value, "close");
  head.close = head.close || head.old;

  const Parts encodings = all(headers, "Content-Encoding");
  head.gzip = encodings.size() == 1 &&
              (same_word(encodings[0], "gzip") || same_word(encodings[0], "x-gzip"));
  if (!encodings.empty() && !head.gzip &&
      !(encodings.size() == 1 && same_word(encodings[0], "identity")))
    return BadRequest{415, "Content-Encoding can only be gzip, once, or identity"};

  for (const std::string_view value : all(headers, "Expect")) {
    if (!same_word(value, "100-continue"))
      return BadRequest{417, "Expect can only be 100-continue"};
    head.awaits_continue = !head.old && (head.chunked || head.length > 0);
  }
  return std::nullopt;
}

std::optional<BadRequest> check_method(const Head& head) {
  const std::string_view method = head.request.method;
  if (one_of(method, {"TRACE", "CONNECT"})) return BadRequest{405, "method not allowed"};
  if (!one_of(method, {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}))
    return BadRequest{501, "unknown method"};
  return std::nullopt;
}

}  // namespace

bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_token_char);
}

std::optional<std::pair<std::string_view, std::string_view>> read_header(std::string_view line) {
  const std::size_t colon = line.find(':');
  // A space before the colon or at the start (a folded line) is no token character either.
  if (colon == line.npos || !is_token(line.substr(0, colon))) return std::nullopt;
  return std::pair{line.substr(0, colon), without_blanks(line.substr(colon + 1))};
}

std::optional<BadRequest> HeadEnd::too_long(std::size_t size) const {
  if (lines_ == 0) {
    if (size > kMaxMethodBytes + kMaxTargetBytes + 16)
      return BadRequest{414, "the request line is too long"};
    return std::nullopt;
  }
  if (size > kMaxHeaderBytes) return BadRequest{431, "a header is longer than 8192 bytes"};
  if (line_ + size - headers_from_ > kMaxHeadBytes)
    return BadRequest{431, "the headers are longer than 32768 bytes"};
  return std::nullopt;
}

std::variant<std::size_t, BadRequest> HeadEnd::find(std::string_view bytes) {
  for (; looked_ < bytes.size(); ++looked_) {
    const unsigned char c = static_cast<unsigned char>(bytes[looked_]);
    const bool after_cr = looked_ > line_ && bytes[looked_ - 1] == '\r';
    if (after_cr != (c == '\n')) return BadRequest{400, "lines must end with CR LF"};
    if ((c < 0x20 && c != '\r' && c != '\n' && c != '\t') || c == 0x7f)
      return BadRequest{400, "a control character in the head"};
    if (c != '\n') {
      if (const auto refusal = too_long(looked_ + (c == '\r' ? 0 : 1) - line_)) return *refusal;
      continue;
    }
    if (looked_ - 1 == line_) {
      if (lines_ == 0) return BadRequest{400, "an empty line where a request should be"};
      return ++looked_;
    }
    if (++lines_ > kMaxHeaders + 1) return BadRequest{431, "more than 100 headers"};
    line_ = looked_ + 1;
    if (lines_ == 1) headers_from_ = line_;
  }
  return std::size_t{0};
}

std::variant<Head, BadRequest> read_head(std::string_view bytes) {
  Head head;
  const std::size_t line = bytes.find("\r\n");
  if (const auto refusal = read_request_line(bytes.substr(0, line), head)) return *refusal;
  bytes.remove_suffix(2);  // the empty line
  if (const auto refusal = read_headers(bytes.substr(line + 2), head)) return *refusal;
  for (const auto& checked : {check_host(head), read_framing(head), check_method(head)})
    if (checked) return *checked;
  auto read = read_target(head.request.path, head.request.header("Host"));
  if (const BadRequest* refusal = std::get_if<BadRequest>(&read)) return *refusal;
  head.request.path = std::move(std::get<Target>(read).path);
  head.request.query = std::move(std::get<Target>(read).query);
  if (const auto refusal = read_wishes(head)) return *refusal;
  return head;
}

}  // namespace regard
