#include <zlib.h>

#include "fuzz/target.h"
#include "regard/image/png_reader.h"
#include "regard/image/png_writer.h"

namespace regard::targets {
namespace {

constexpr std::size_t kSignature = 8, kFrame = 12;  // of a chunk: length, name, checksum

std::uint32_t number(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = at; i < at + 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

/// The bytes with checksums that fit, as hardly any that are made up have.
std::string with_right_sums(std::string_view bytes) {
  std::string fixed(bytes);
  for (std::size_t at = kSignature; at + kFrame <= bytes.size();) {
    const std::size_t length = number(bytes, at);
    if (length > bytes.size() - at - kFrame) break;
    auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data() + at + 4), length + 4);
    for (std::size_t i = 4; i-- > 0; sum >>= 8)
      fixed[at + 8 + length + i] = static_cast<char>(sum & 255);
    at += kFrame + length;
  }
  return fixed;
}

/// What is accepted comes out the same when it is written and read again.
void read_and_write(std::string_view bytes) {
  const Image image = parse_png(bytes, "x.png");
  law(image.pixels.size() == static_cast<std::size_t>(image.width * image.height * 3),
      "not as many levels as its size says");
  const Image again = parse_png(png_bytes(image.width, image.height, image.pixels), "again.png");
  law(again == image, "written and read again, the picture is another");
}

void try_png(std::string_view bytes) {
  try {
    read_and_write(bytes);
  } catch (const Error& error) {
    if (error.fault != Fault::input) throw;
    read_and_write(with_right_sums(bytes));
  }
}

}  // namespace

extern const FuzzTarget png{
    .name = "png", .about = "pictures", .max_bytes = 512, .attempt = try_png, .slow = true};

}  // namespace regard::targets
