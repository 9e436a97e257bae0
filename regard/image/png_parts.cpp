#include "regard/image/png_parts.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "regard/base/check.h"

namespace regard {
namespace {

constexpr std::string_view kSignature("\x89PNG\r\n\x1a\n", 8);
constexpr Index kLongestSide = 1'000'000;  // libpng takes no longer one
constexpr Index kFrame = 12;  // bytes of a chunk around its data: length, name and checksum

/// How the files of other formats begin.
struct OtherFormat {
  std::string_view start, name, ending;
};
constexpr OtherFormat kOthers[]{
    {"\xFF\xD8\xFF", "JPEG", "jpg"}, {"GIF8", "GIF", "gif"},
    {"RIFF", "WebP", "webp"},        {"BM", "BMP", "bmp"},
    {{"II*\0", 4}, "TIFF", "tif"},   {{"MM\0*", 4}, "TIFF", "tif"},
    {"<svg", "SVG", "svg"},
};

std::uint32_t number(std::string_view bytes, Index at) {
  std::uint32_t value = 0;
  for (Index i = at; i < at + 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  return value;
}

/// Takes a file apart, chunk by chunk.
class PngParts {
 public:
  PngParts(std::string_view bytes, const std::string& name, Index most)
      : bytes_(bytes), name_(name), most_(most) {}

  std::string deciding() {
    check_signature();
    std::string kept(kSignature);
    for (at_ = size(kSignature); !ended_; at_ += kFrame + length_) {
      open_chunk();
      if (at_ == size(kSignature)) check_header();
      if (kind() == "acTL")
        blame("an animated PNG, expected one picture; take one out of it, as in ",
              "`ffmpeg -i in.png -frames:v 1 out.png`");
      data_bytes_ += kind() == "IDAT" ? length_ : 0;
      ended_ = kind() == "IEND";
      const bool critical = std::isupper(static_cast<unsigned char>(kind().front())) != 0;
      if (critical || kind() == "tRNS") kept += part(at_, kFrame + length_);
    }
    check_room();
    return kept;
  }

 private:
  static Index size(std::string_view text) { return static_cast<Index>(text.size()); }
  std::string_view part(Index from, Index length) const {
    return bytes_.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(length));
  }
  std::string_view kind() const { return part(at_ + 4, 4); }

  template <class... Parts>
  [[noreturn]] void blame(const Parts&... parts) const {
    fail(Blame(Fault::input).at(name_), name_, ": ", parts...);
  }

  void check_signature() const {
    if (bytes_.starts_with(kSignature)) return;
    if (bytes_.empty()) blame("an empty file, expected a PNG");
    if (kSignature.starts_with(bytes_)) blame("truncated after ", bytes_.size(), " bytes of a PNG");
    if (bytes_.starts_with(kSignature.substr(0, 4)))
      blame("a PNG whose first bytes are not as they were, as if it had been sent as a text; ",
            "copy it again, byte by byte");
    for (const OtherFormat& other : kOthers)
      if (bytes_.starts_with(other.start))
        blame("not a PNG, but begins like a ", other.name, "; convert it, as in `convert in.",
              other.ending, " out.png`");
    blame("not a PNG, which its first bytes would say; name a PNG file");
  }

  void open_chunk() {
    const Index left = size(bytes_) - at_;
    if (left < kFrame)
      blame("truncated: ends after ", bytes_.size(), " bytes, before its last part (IEND)");
    const std::string_view name = kind();
    if (!std::ranges::all_of(name, [](unsigned char c) { return c < 128 && std::isalpha(c); }))
      blame("damaged: at byte ", at_ + 4, " there should be the name of a chunk, four letters");
    length_ = number(bytes_, at_);
    if (length_ > left - kFrame)
      blame("truncated or damaged: its chunk ", name, " at byte ", at_, " should have ", length_,
            " bytes, but ", left - kFrame, " are there");
    const std::string_view summed = part(at_ + 4, 4 + length_);
    const auto sum = ::crc32_z(0, reinterpret_cast<const Bytef*>(summed.data()), summed.size());
    if (sum != number(bytes_, at_ + 8 + length_))
      blame("damaged: the checksum of its chunk ", name, " at byte ", at_,
            " does not fit; make or copy the file again");
  }

  // The first chunk, before anything in it is believed.
  void check_header() {
    if (kind() != "IHDR" || length_ != 13) blame("damaged: does not begin with the chunk IHDR");
    const Index width = number(bytes_, at_ + 8), height = number(bytes_, at_ + 12);
    const auto byte = [&](Index i) {
      return static_cast<unsigned char>(bytes_[static_cast<std::size_t>(i)]);
    };
    const int depth = byte(at_ + 16), type = byte(at_ + 17);
    constexpr std::array<int, 7> kChannels{1, 0, 3, 1, 2, 0, 4};
    if (depth == 16)
      blame("16-bit PNG; convert it to 8 bits, as in `convert in.png -depth 8 out.png`");
    if (type > 6 || kChannels[static_cast<std::size_t>(type)] == 0 || depth > 8)
      blame("damaged: colour type ", type, " with ", depth, " bits is none of PNG's");
    if (width < 1 || height < 1)
      blame("damaged: ", width, " x ", height, " pixels; make or copy the file again");
    if (std::max(width, height) > kLongestSide || width > most_ / height)
      blame(width, " x ", height, " pixels, expected at most ", most_, " and ", kLongestSide,
            " a side; make it smaller, as in `convert in.png -resize 1024x1024 out.png`");
    row_bytes_ = (width * depth * kChannels[static_cast<std::size_t>(type)] + 7) / 8;
    rows_ = height;
  }

  // Deflate packs 1032 bytes into one at most; less than that cannot hold the pixels, and memory
  // for them would be taken in vain.
  void check_room() const {
    constexpr Index kMostPacked = 1032;
    if (row_bytes_ * rows_ / kMostPacked > data_bytes_)
      blame("damaged: ", data_bytes_, " bytes of data cannot hold its ", rows_, " rows of ",
            row_bytes_, " bytes");
  }

  std::string_view bytes_;
  const std::string& name_;
  Index most_;                 // pixels
  Index at_ = 0, length_ = 0;  // of the chunk
  Index row_bytes_ = 0, rows_ = 0, data_bytes_ = 0;
  bool ended_ = false;
};

}  // namespace

std::string deciding_png_parts(std::string_view bytes, const std::string& name, Index most) {
  return PngParts(bytes, name, most).deciding();
}

}  // namespace regard
