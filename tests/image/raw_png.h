#pragma once

#include <zlib.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "regard/base/real.h"

namespace regard::testing {

/// A number as PNG files hold it, the large end first.
inline std::string four_bytes(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}

inline std::string chunk(const std::string& kind, const std::string& data) {
  const std::string summed = kind + data;
  const auto sum =
      ::crc32(0, reinterpret_cast<const Bytef*>(summed.data()), static_cast<uInt>(summed.size()));
  return four_bytes(static_cast<std::uint32_t>(data.size())) + summed +
         four_bytes(static_cast<std::uint32_t>(sum));
}

inline const std::string kPngStart("\x89PNG\r\n\x1a\n", 8);

/// A PNG file put together by hand, of any kind that there is.
struct RawPng {
  Index width = 1, height = 1;
  int depth = 8, type = 2;  ///< 0 grey, 2 colour, 3 palette, 4 grey and alpha, 6 colour and alpha
  bool interlaced = false;
  std::vector<int> samples{};                    ///< [height, width, channels]
  std::string palette{}, transparent{}, more{};  ///< PLTE, tRNS; chunks before the data

  int channels() const { return type == 2 ? 3 : type == 4 ? 2 : type == 6 ? 4 : 1; }
  int sample(Index x, Index y, int c) const {
    return samples[static_cast<std::size_t>((y * width + x) * channels() + c)];
  }

  /// The pixels from (x, y) on, every dx-th of every dy-th row, unfiltered.
  std::string pass(Index x, Index y, Index dx, Index dy) const {
    std::string rows;
    for (; y < height && x < width; y += dy) {
      rows.push_back(0);
      int bits = 0, held = 0;
      const auto put = [&](int value) {
        bits = bits << depth | value;
        held += depth;
        if (held < 8) return;
        if (depth == 16) rows.push_back(static_cast<char>(bits >> 8));
        rows.push_back(static_cast<char>(bits));
        bits = held = 0;
      };
      for (Index at = x; at < width; at += dx)
        for (int c = 0; c < channels(); ++c) put(sample(at, y, c));
      while (held > 0) put(0);
    }
    return rows;
  }

  std::string header() const {
    return four_bytes(static_cast<std::uint32_t>(width)) +
           four_bytes(static_cast<std::uint32_t>(height)) + static_cast<char>(depth) +
           static_cast<char>(type) + std::string(2, 0) + static_cast<char>(interlaced);
  }

  std::string data() const {
    std::string rows;
    if (interlaced)
      for (const auto& [x, y, dx, dy] : std::vector<std::array<Index, 4>>{{0, 0, 8, 8},
                                                                          {4, 0, 8, 8},
                                                                          {0, 4, 4, 8},
                                                                          {2, 0, 4, 4},
                                                                          {0, 2, 2, 4},
                                                                          {1, 0, 2, 2},
                                                                          {0, 1, 1, 2}})
        rows += pass(x, y, dx, dy);
    else
      rows = pass(0, 0, 1, 1);
    std::string packed(::compressBound(rows.size()), 0);
    uLongf size = packed.size();
    ::compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                reinterpret_cast<const Bytef*>(rows.data()), rows.size(), 9);
    packed.resize(size);
    return packed;
  }

  std::string bytes() const {
    std::string all = kPngStart + chunk("IHDR", header());
    if (!palette.empty()) all += chunk("PLTE", palette);
    if (!transparent.empty()) all += chunk("tRNS", transparent);
    return all + more + chunk("IDAT", data()) + chunk("IEND", "");
  }
};

}  // namespace regard::testing
