#include "regard/base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace regard {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// What each byte stands for as a digit; 64: nothing.
constexpr std::array<std::uint8_t, 256> values_of_digits() {
  std::array<std::uint8_t, 256> values{};
  values.fill(64);
  for (std::size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  return values;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < count ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      text.push_back(j <= count ? kDigits[bits >> (18 - 6 * j) & 63] : '=');
  }
  return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  constexpr std::array<std::uint8_t, 256> kValues = values_of_digits();
  if (text.size() % 4 != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && text.ends_with('=')) {
    text.remove_suffix(1);
    ++padding;
  }
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int held = 0;  // of the bits, so many are of no byte yet
  for (const char digit : text) {
    const std::uint8_t value = kValues[static_cast<unsigned char>(digit)];
    if (value == 64) return std::nullopt;
    bits = bits << 6 | value;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push_back(static_cast<char>(bits >> held & 255));
  }
  if ((bits & ((1u << held) - 1)) != 0) return std::nullopt;  // two texts of the same bytes
  return bytes;
}

}  // namespace regard
