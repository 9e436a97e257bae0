#include "regard/image/png_reader.h"

#include <png.h>

#include "regard/base/check.h"
#include "regard/base/file.h"

namespace regard {
namespace {

/// What libpng holds while it reads. Its simple functions come back with a message where its others
/// would jump over our destructors.
struct Reading {
  png_image png{};
  Reading() { png.version = PNG_IMAGE_VERSION; }
  ~Reading() { png_image_free(&png); }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;
};

/// Lays [n, 4] with alpha over white: [n, 3], in place.
void lay_over_white(std::vector<std::uint8_t>& pixels) {
  const std::size_t count = pixels.size() / 4;
  for (std::size_t i = 0; i < count; ++i) {
    const int alpha = pixels[4 * i + 3];
    for (std::size_t c = 0; c < 3; ++c)
      pixels[3 * i + c] =
          static_cast<std::uint8_t>((pixels[4 * i + c] * alpha + 255 * (255 - alpha) + 127) / 255);
  }
  pixels.resize(3 * count);
}

}  // namespace

Image parse_png(std::string_view bytes, const std::string& name, Index most) {
  const std::string parts = deciding_png_parts(bytes, name, most);
  Reading reading;
  const auto check_read = [&](int well) {
    if (!well)
      fail(Blame(Fault::input).at(name), name, ": damaged PNG: ", reading.png.message,
           "; make or copy the file again");
  };
  check_read(png_image_begin_read_from_memory(&reading.png, parts.data(), parts.size()));
  reading.png.format = PNG_FORMAT_RGBA;
  Image image{static_cast<Index>(reading.png.width), static_cast<Index>(reading.png.height)};
  image.pixels.resize(PNG_IMAGE_SIZE(reading.png));
  check_read(png_image_finish_read(&reading.png, nullptr, image.pixels.data(), 0, nullptr));
  lay_over_white(image.pixels);
  return image;
}

Image read_png(const std::string& path) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 28;
  return parse_png(read_file(path, kMaxBytes), path == "-" ? "standard input" : path);
}

}  // namespace regard
