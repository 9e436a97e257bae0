#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace regard::testing {

inline std::uint64_t little(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = size; i-- > 0;)
    value = value << 8 | static_cast<std::uint8_t>(bytes.at(at + i));
  return value;
}

/// CRC-32, bit by bit.
inline std::uint32_t slow_crc32(std::string_view bytes) {
  std::uint32_t sum = ~0u;
  for (const char c : bytes) {
    sum ^= static_cast<std::uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) sum = sum & 1 ? sum >> 1 ^ 0xEDB88320 : sum >> 1;
  }
  return ~sum;
}

/// The files of a zip archive that stores them as they are, read by its directory; every size, sum
/// and repeated fact is held against the files themselves.
inline std::map<std::string, std::string> unzipped(std::string_view archive) {
  std::map<std::string, std::string> files;
  const std::size_t end = archive.size() - 22;
  EXPECT_EQ(little(archive, end, 4), 0x06054B50u);
  const std::size_t count = little(archive, end + 10, 2);
  std::size_t at = little(archive, end + 16, 4);
  EXPECT_EQ(at + little(archive, end + 12, 4), end);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(little(archive, at, 4), 0x02014B50u);
    const std::size_t size = little(archive, at + 24, 4), name = little(archive, at + 28, 2);
    const std::size_t local = little(archive, at + 42, 4);
    EXPECT_EQ(little(archive, local, 4), 0x04034B50u);
    EXPECT_EQ(archive.substr(local + 4, 26), archive.substr(at + 6, 26));  // the same facts
    EXPECT_EQ(archive.substr(local + 30, name), archive.substr(at + 46, name));
    EXPECT_EQ(little(archive, at + 10, 2), 0u);  // stored
    const std::string content(archive.substr(local + 30 + name, size));
    EXPECT_EQ(little(archive, at + 16, 4), slow_crc32(content));
    EXPECT_TRUE(files.emplace(archive.substr(at + 46, name), content).second);
    at += 46 + name;
  }
  EXPECT_EQ(at, end);
  return files;
}

/// The texts of a .npy file of Unicode strings.
inline std::vector<std::u32string> npy_texts(const std::string& file) {
  const std::size_t start = 10 + little(file, 8, 2);
  const std::size_t type = file.find("<U") + 2;
  const std::size_t width = std::stoul(file.substr(type));
  std::vector<std::u32string> texts;
  for (std::size_t at = start; at < file.size(); at += 4 * width) {
    texts.emplace_back();
    for (std::size_t i = 0; i < width; ++i)
      if (const auto letter = static_cast<char32_t>(little(file, at + 4 * i, 4)); letter != 0)
        texts.back() += letter;
  }
  return texts;
}

}  // namespace regard::testing
