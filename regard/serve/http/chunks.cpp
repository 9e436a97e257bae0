#include "regard/serve/http/chunks.h"

#include <algorithm>
#include <charconv>

namespace regard {
namespace {

constexpr std::size_t kMaxLineBytes = 1024;   // a size with its extensions, or a trailer
constexpr Index kMaxFramingBytes = 64 << 10;  // enough for a megabyte in pieces of 128 bytes
constexpr std::ptrdiff_t kMaxSizeDigits = 16;

}  // namespace

std::size_t Chunks::feed(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && !ended() && !refusal_) {
    if (at_ != At::data) {
      step(bytes[used++]);
      continue;
    }
    const std::size_t count = std::min(bytes.size() - used, static_cast<std::size_t>(left_));
    body_.append(bytes.substr(used, count));
    used += count;
    left_ -= static_cast<Index>(count);
    if (left_ == 0) at_ = At::data_end;
  }
  return used;
}

void Chunks::step(char c) {
  if (++framing_ > kMaxFramingBytes + body_bytes_ / 16)
    return refuse(400, "too many small chunks or long extensions");
  const bool after_cr = line_.ends_with('\r');
  if (after_cr != (c == '\n')) return refuse(400, "lines of a chunked body must end with CR LF");
  if ((static_cast<unsigned char>(c) < 0x20 && c != '\r' && c != '\n' && c != '\t') || c == 0x7f)
    return refuse(400, "a control character in a chunked body's framing");
  line_ += c;
  if (line_.size() > kMaxLineBytes) return refuse(400, "a chunk extension is too long");
  if (at_ == At::data_end && line_.size() == 1 && c != '\r')
    return refuse(400, "a chunk is longer than its size says");
  if (c == '\n') {
    line_.resize(line_.size() - 2);
    end_line();
    line_.clear();
  }
}

void Chunks::end_line() {
  switch (at_) {
    case At::size:
      return open_chunk();
    case At::data_end:
      at_ = At::size;
      return;
    case At::trailer:
      if (line_.empty())
        at_ = At::end;
      else if (!read_header(line_))
        refuse(400, "a trailer line is not 'Name: value'");
      return;
    case At::data:
    case At::end:
      return;
  }
}

void Chunks::open_chunk() {
  const char* const from = line_.data();
  const char* const to = from + line_.size();
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(from, to, size, 16);  // takes no sign, space or 0x
  if (error != std::errc() || end - from > kMaxSizeDigits || (end != to && *end != ';'))
    return refuse(400, "a chunk size must be hexadecimal digits");
  if (size > static_cast<std::uint64_t>(body_bytes_ - static_cast<Index>(body_.size())))
    return refuse(413, "the body is too large");
  left_ = static_cast<Index>(size);
  at_ = size > 0 ? At::data : At::trailer;
}

}  // namespace regard
