#include "regard/viewer/glyphs/font_subset.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "regard/base/check.h"

namespace regard {
namespace {

// The format: Apple, "TrueType Reference Manual"; ISO/IEC 14496-22. Numbers are big-endian.

std::uint32_t number_at(std::string_view bytes, std::size_t at, int size) {
  check(at + static_cast<std::size_t>(size) <= bytes.size(), "font: the typeface is cut short");
  std::uint32_t value = 0;
  for (int i = 0; i < size; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  return value;
}

std::uint32_t u16(std::string_view bytes, std::size_t at) {
  return number_at(bytes, at, 2);
}

std::uint32_t u32(std::string_view bytes, std::size_t at) {
  return number_at(bytes, at, 4);
}

int i16(std::string_view bytes, std::size_t at) {
  return static_cast<std::int16_t>(u16(bytes, at));
}

void put(std::string& bytes, std::size_t at, std::uint32_t value, int size) {
  for (int i = size - 1; i >= 0; --i, value >>= 8)
    bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value & 255);
}

void append(std::string& bytes, std::uint32_t value, int size) {
  bytes.append(static_cast<std::size_t>(size), '\0');
  put(bytes, bytes.size() - static_cast<std::size_t>(size), value, size);
}

/// The tables of a typeface by their names.
class Tables {
 public:
  explicit Tables(std::string_view file) {
    for (std::size_t i = 0, count = u16(file, 4); i < count; ++i) {
      const std::size_t entry = 12 + 16 * i;
      tables_[file.substr(entry, 4)] = file.substr(u32(file, entry + 8), u32(file, entry + 12));
    }
  }

  std::string_view at(std::string_view name) const {
    const auto found = tables_.find(name);
    return found == tables_.end() ? std::string_view() : found->second;
  }

  std::string_view outline(std::uint32_t glyph) const {
    const std::string_view loca = at("loca");
    const bool wide = u16(at("head"), 50) == 1;
    const auto place = [&](std::size_t i) -> std::size_t {
      return wide ? u32(loca, 4 * i) : 2 * std::size_t{u16(loca, 2 * i)};
    };
    const std::size_t begin = place(glyph), end = place(glyph + 1);
    return at("glyf").substr(begin, end - begin);
  }

  /// Advance and left bearing; the last advance goes on for those behind it.
  std::pair<std::uint32_t, std::uint32_t> metrics(std::size_t glyph) const {
    const std::string_view hmtx = at("hmtx");
    const std::size_t full = u16(at("hhea"), 34);
    if (glyph < full) return {u16(hmtx, 4 * glyph), u16(hmtx, 4 * glyph + 2)};
    return {u16(hmtx, 4 * (full - 1)), u16(hmtx, 4 * full + 2 * (glyph - full))};
  }

 private:
  std::map<std::string_view, std::string_view> tables_;
};

/// Where in the outline of a composed glyph the numbers of its parts stand.
std::vector<std::size_t> parts_of(std::string_view outline) {
  enum : std::uint32_t { wide = 0x1, scaled = 0x8, more = 0x20, scaled_xy = 0x40, turned = 0x80 };
  std::vector<std::size_t> parts;
  if (outline.empty() || i16(outline, 0) >= 0) return parts;
  for (std::size_t at = 10;;) {
    const std::uint32_t flags = u16(outline, at);
    parts.push_back(at + 2);
    at += flags & wide ? 8 : 6;
    at += flags & scaled ? 2 : flags & scaled_xy ? 4 : flags & turned ? 8 : 0;
    if (!(flags & more)) return parts;
  }
}

std::uint32_t checksum(std::string_view table) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < table.size(); at += 4)
    for (std::size_t i = 0; i < 4 && at + i < table.size(); ++i)
      sum += std::uint32_t{static_cast<unsigned char>(table[at + i])} << (24 - 8 * i);
  return sum;
}

std::string joined(const std::map<std::string, std::string>& tables) {
  const auto count = static_cast<std::uint32_t>(tables.size());
  const std::uint32_t power = std::bit_floor(count);
  std::string file;
  append(file, 0x00010000, 4);
  append(file, count, 2);
  append(file, 16 * power, 2);
  append(file, static_cast<std::uint32_t>(std::countr_zero(power)), 2);
  append(file, 16 * (count - power), 2);
  std::size_t place = file.size() + 16 * tables.size();
  for (const auto& [name, table] : tables) {
    file += name;
    append(file, checksum(table), 4);
    append(file, static_cast<std::uint32_t>(place), 4);
    append(file, static_cast<std::uint32_t>(table.size()), 4);
    place += (table.size() + 3) / 4 * 4;
  }
  for (const auto& [name, table] : tables) {
    if (name == "head") place = file.size();
    file += table;
    file.append((4 - file.size() % 4) % 4, '\0');
  }
  put(file, place + 8, 0xB1B0AFBA - checksum(file), 4);  // by which the sum of all is that number
  return file;
}

}  // namespace

FontMetrics font_metrics(std::string_view file) {
  const Tables tables(file);
  const std::string_view head = tables.at("head"), hhea = tables.at("hhea");
  const int em = static_cast<int>(u16(head, 18));
  const auto of = [&](std::string_view table, std::size_t at) {
    return i16(table, at) * 1000 / em;
  };
  return {.left = of(head, 36),
          .bottom = of(head, 38),
          .right = of(head, 40),
          .top = of(head, 42),
          .ascent = of(hhea, 4),
          .descent = of(hhea, 6)};
}

std::string font_subset(std::string_view file, std::span<const SubsetGlyph> glyphs) {
  const Tables tables(file);
  const double em = u16(tables.at("head"), 18);
  std::vector<SubsetGlyph> all(glyphs.begin(), glyphs.end());
  std::map<std::uint32_t, std::uint32_t> part_place;  // of parts, in the new file
  std::string outlines, places, metrics;
  for (std::size_t i = 0; i < all.size(); ++i) {  // which grows by the parts found
    append(places, static_cast<std::uint32_t>(outlines.size()), 4);
    const auto [own, bearing] = tables.metrics(all[i].number);
    const double asked = std::clamp(all[i].advance.value_or(0) * em, 0.0, 65535.0);
    append(metrics, all[i].advance ? static_cast<std::uint32_t>(std::lround(asked)) : own, 2);
    append(metrics, bearing, 2);
    std::string outline(tables.outline(all[i].number));
    for (const std::size_t at : parts_of(outline)) {
      const std::uint32_t part = u16(outline, at);
      const auto [found, fresh] =
          part_place.try_emplace(part, static_cast<std::uint32_t>(all.size()));
      if (fresh) all.push_back({part});
      put(outline, at, found->second, 2);
    }
    outlines += outline;
    outlines.append((4 - outlines.size() % 4) % 4, '\0');
  }
  append(places, static_cast<std::uint32_t>(outlines.size()), 4);

  const auto count = static_cast<std::uint32_t>(all.size());
  std::map<std::string, std::string> chosen{
      {"glyf", outlines}, {"loca", places}, {"hmtx", metrics}};
  for (const char* name : {"cvt ", "fpgm", "prep", "head", "hhea", "maxp"})
    if (const std::string_view table = tables.at(name); !table.empty()) chosen[name] = table;
  put(chosen["head"], 8, 0, 4);
  put(chosen["head"], 50, 1, 2);  // places of four bytes
  put(chosen["hhea"], 34, count, 2);
  put(chosen["maxp"], 4, count, 2);
  return joined(chosen);
}

}  // namespace regard
