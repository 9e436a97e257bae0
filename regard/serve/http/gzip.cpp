#include "regard/serve/http/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

namespace regard {
namespace {

constexpr int kGzipOnly = 16;  // zlib: no other header is taken

struct Inflater {
  Inflater() {
    if (inflateInit2(&stream, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Inflater() { inflateEnd(&stream); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  z_stream stream{};
};

}  // namespace

std::variant<std::string, BadRequest> unpacked(std::string_view packed, Index max_bytes) {
  constexpr BadRequest kDamaged{400, "the body is corrupt or incomplete gzip data"};
  Inflater inflater;
  z_stream& stream = inflater.stream;
  std::string source(packed);  // zlib's input is not const
  stream.next_in = reinterpret_cast<Bytef*>(source.data());
  stream.avail_in = static_cast<uInt>(source.size());
  std::string content;
  std::array<char, 16384> piece;
  int state = Z_OK;
  while (true) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = piece.size();
    state = inflate(&stream, Z_NO_FLUSH);
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state != Z_OK && state != Z_STREAM_END) return kDamaged;
    content.append(piece.data(), piece.size() - stream.avail_out);
    if (static_cast<Index>(content.size()) > max_bytes)
      return BadRequest{413, "the body is too large once unpacked"};
    if (state != Z_STREAM_END) continue;
    if (stream.avail_in == 0) return content;
    if (inflateReset(&stream) != Z_OK) return kDamaged;
  }
}

bool accepts_gzip(std::string_view accept_encoding) {
  const auto trimmed = [](std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
  };
  for (std::string_view rest = accept_encoding; !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    const std::size_t end = one.find(';');
    if (trimmed(one.substr(0, end)) != "gzip") continue;
    if (end == one.npos) return true;
    const std::string_view weight = trimmed(one.substr(end + 1));  // "q=0", "q=0.5"
    return weight.find_first_of("123456789") != weight.npos;
  }
  return false;
}

}  // namespace regard
