#include "regard/tensor/npz.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "regard/base/check.h"

namespace regard {
namespace {

static_assert(std::endian::native == std::endian::little);  // as arrays are written

void put(std::string& bytes, std::uint64_t value, int size) {
  for (int i = 0; i < size; ++i, value >>= 8) bytes += static_cast<char>(value & 255);
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// The sum by which zip archives are checked: CRC-32 of IEEE 802.3.
std::uint32_t crc32_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

/// Format 1.0: a Python dictionary behind a fixed start, the whole a multiple of 64 bytes.
std::string npy_header(const std::string& type, const Shape& shape) {
  std::string sizes;
  for (const Index size : shape.sizes())
    sizes.append(sizes.empty() ? "" : ", ").append(std::to_string(size));
  if (shape.rank() == 1) sizes += ",";
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + sizes + "), }";
  constexpr std::size_t kStart = 10;
  text.append(63 - (kStart + text.size()) % 64, ' ').append("\n");
  std::string header = "\x93NUMPY\x01";
  header += '\0';
  put(header, text.size(), 2);
  return header + text;
}

/// The code points of UTF-8. What is broken, too long a form or no letter is U+FFFD, a byte each.
std::u32string decoded(std::string_view text) {
  std::u32string letters;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const int size = lead < 0x80 ? 1 : lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
    char32_t letter = size == 1 ? lead : lead & (0xFF >> (size + 1));
    bool whole = size > 0 && lead < 0xF8 && at + static_cast<std::size_t>(size) <= text.size();
    for (int i = 1; i < size && whole; ++i) {
      const auto next = static_cast<unsigned char>(text[at + static_cast<std::size_t>(i)]);
      whole = (next & 0xC0) == 0x80;
      letter = letter << 6 | (next & 0x3F);
    }
    constexpr char32_t kLeast[]{0, 0, 0x80, 0x800, 0x10000};
    whole = whole && letter >= kLeast[size] && letter <= 0x10FFFF &&
            !(letter >= 0xD800 && letter <= 0xDFFF);
    letters += whole ? letter : U'\uFFFD';
    at += whole ? static_cast<std::size_t>(size) : 1;
  }
  return letters;
}

// What a local and a central header have in common. The date is the first that zip can write.
std::string file_facts(std::uint32_t sum, std::size_t size, std::size_t name) {
  constexpr int kVersion = 20, kUtf8Names = 0x800, kStored = 0, kTime = 0, kDate = 0x21;
  std::string facts;
  for (const int value : {kVersion, kUtf8Names, kStored, kTime, kDate})
    put(facts, static_cast<std::uint64_t>(value), 2);
  put(facts, sum, 4);
  put(facts, size, 4);
  put(facts, size, 4);
  put(facts, name, 2);
  put(facts, 0, 2);  // no further fields
  return facts;
}

}  // namespace

void NpzWriter::append(std::string_view name, const char* type, const Shape& shape,
                       std::string_view data) {
  const std::string content = npy_header(type, shape).append(data);
  Entry entry{.name = std::string(name) + ".npy",
              .sum = crc32_of(content),
              .start = body_.size(),
              .size = content.size()};
  put(body_, 0x04034B50, 4);
  body_ += file_facts(entry.sum, entry.size, entry.name.size());
  body_.append(entry.name).append(content);
  entries_.push_back(std::move(entry));
}

void NpzWriter::add(std::string_view name, const Shape& shape, std::span<const float> values) {
  append(name, "<f4", shape, bytes_of(values));
}

void NpzWriter::add(std::string_view name, const Shape& shape, std::span<const double> values) {
  append(name, "<f8", shape, bytes_of(values));
}

void NpzWriter::add(std::string_view name, const Shape& shape,
                    std::span<const std::int32_t> values) {
  append(name, "<i4", shape, bytes_of(values));
}

void NpzWriter::add(std::string_view name, const std::vector<std::string>& texts) {
  std::vector<std::u32string> letters;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    letters.push_back(decoded(text));
    longest = std::max(longest, letters.back().size());
  }
  std::u32string all;
  for (std::u32string& text : letters) {
    text.resize(longest);
    all += text;
  }
  append(name, ("<U" + std::to_string(longest)).c_str(), {static_cast<Index>(texts.size())},
         bytes_of(std::span<const char32_t>(all)));
}

std::string NpzWriter::bytes() const {
  std::string directory;
  for (const Entry& entry : entries_) {
    constexpr int kMadeBy = 20;
    put(directory, 0x02014B50, 4);
    put(directory, kMadeBy, 2);
    directory += file_facts(entry.sum, entry.size, entry.name.size());
    put(directory, 0, 10);  // no comment, the first disk, no attributes
    put(directory, entry.start, 4);
    directory += entry.name;
  }
  check(body_.size() + directory.size() < std::numeric_limits<std::uint32_t>::max() &&
            entries_.size() < std::numeric_limits<std::uint16_t>::max(),
        "these arrays are too large for a .npz file of less than 4 GiB");
  std::string end;
  put(end, 0x06054B50, 4);
  put(end, 0, 4);  // one disk
  put(end, entries_.size(), 2);
  put(end, entries_.size(), 2);
  put(end, directory.size(), 4);
  put(end, body_.size(), 4);
  put(end, 0, 2);  // no comment
  return body_ + directory + end;
}

}  // namespace regard
