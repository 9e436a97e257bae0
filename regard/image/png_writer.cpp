#include "regard/image/png_writer.h"

#include <png.h>

#include "regard/base/check.h"

namespace regard {

std::string png_bytes(Index width, Index height, std::span<const std::uint8_t> rgb) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(width);
  image.height = static_cast<png_uint_32>(height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  if (!png_image_write_to_memory(&image, bytes.data(), &size, 0, rgb.data(), 0, nullptr))
    fail(Fault::device, "picture: cannot write the PNG: ", image.message);  // room is all it needs
  bytes.resize(size);
  return bytes;
}

}  // namespace regard
