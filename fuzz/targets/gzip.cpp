#include "regard/serve/http/gzip.h"

#include <zlib.h>

#include "fuzz/target.h"
#include "fuzz/text_in_memory.h"
#include "regard/batch/byte_stream.h"

namespace regard::targets {
namespace {

/// All of a stream; nothing where it is refused.
std::optional<std::string> streamed(std::string_view bytes, std::size_t piece) {
  try {
    ByteStream stream("-", reading(bytes, piece));
    std::string all;
    for (std::string_view next = stream.next(); !next.empty(); next = stream.next()) all += next;
    return all;
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
    return {};
  }
}

/// The bytes as one member, packed with little memory, so that most of the time goes to reading.
std::string packed_by_zlib(std::string_view plain) {
  constexpr int kLeastWindow = 9, kGzip = 16, kLeastMemory = 1;
  z_stream state{};
  law(deflateInit2(&state, 1, Z_DEFLATED, kLeastWindow + kGzip, kLeastMemory, Z_DEFAULT_STRATEGY) ==
          Z_OK,
      "zlib has no memory");
  std::string packed(deflateBound(&state, plain.size()) + 64, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  state.avail_in = static_cast<uInt>(plain.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  law(deflate(&state, Z_FINISH) == Z_STREAM_END, "zlib cannot pack");
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

/// The reader of files and the one of requests agree, however the bytes come cut; what was packed
/// comes out again.
void try_gzip(std::string_view bytes) {
  constexpr Index kMax = 1 << 16;
  const std::optional<std::string> whole = streamed(bytes, kAtOnce);
  law(whole == streamed(bytes, 1), "byte by byte, something else comes out");
  const auto body = unpacked(bytes, kMax);
  if (const std::string* content = std::get_if<std::string>(&body)) {
    law(static_cast<Index>(content->size()) <= kMax, "a body is longer than allowed");
    if (bytes.starts_with("\x1f\x8b")) law(whole == *content, "a file and a body differ");
  }
  const std::string packed = packed_by_zlib(bytes);
  law(streamed(packed, 1) == bytes, "what was packed does not come out of a file");
  const auto again = unpacked(packed, kMax);
  law(std::holds_alternative<std::string>(again) && std::get<std::string>(again) == bytes,
      "what was packed does not come out of a body");
}

}  // namespace

extern const FuzzTarget gzip{.name = "gzip",
                             .about = "packed files and packed bodies of requests",
                             .max_bytes = 512,
                             .attempt = try_gzip,
                             .slow = true};

}  // namespace regard::targets
