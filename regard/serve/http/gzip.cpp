#include "regard/serve/http/gzip.h"

#include <zlib.h>

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

}  // namespace regard
