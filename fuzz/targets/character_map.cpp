#include "regard/tokens/character_map.h"

#include <cstdint>
#include <cstring>

#include "fuzz/target.h"

namespace regard::targets {
namespace {

/// Follows a text down the trie as SentencePiece does, and checks what that does not: that no step
/// leaves the map.
void follow(std::string_view map, std::string_view text) {
  std::uint32_t trie_size = 0;
  std::memcpy(&trie_size, map.data(), sizeof trie_size);
  const std::string_view trie = map.substr(4, trie_size), replacements = map.substr(4 + trie_size);
  const auto unit_at = [&](std::size_t index) {
    law(4 * index + 4 <= trie.size(), "a step leaves the trie");
    std::uint32_t unit = 0;
    std::memcpy(&unit, trie.data() + 4 * index, sizeof unit);
    return unit;
  };
  const auto children_of = [](std::size_t node, std::uint32_t unit) {
    return node ^ ((unit & 0x7fffffffu) >> 10 << ((unit & (1u << 9)) >> 6));
  };
  std::uint32_t unit = unit_at(0);
  std::size_t node = children_of(0, unit);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    node ^= byte;
    unit = unit_at(node);
    if (byte == 0 || (unit & 0x800000ffu) != byte) return;
    node = children_of(node, unit);
    if ((unit >> 8 & 1) == 0) continue;
    const std::uint32_t value = unit_at(node) & 0x7fffffffu;
    law(value < replacements.size(), "a value leaves the replacements");
    law(replacements.find('\0', value) != replacements.npos, "a replacement has no end");
  }
}

/// A map without a flaw is one that no text leads out of: the text comes first, then the map.
void try_character_map(std::string_view bytes) {
  const std::vector<std::string_view> files = files_in(bytes, 2);
  const std::string_view text = files[0], map = files[1];
  if (map.empty() || !character_map_flaw(map).empty()) return;
  follow(map, text);
  follow(map, map);
}

}  // namespace

extern const FuzzTarget character_map{.name = "character_map",
                                      .about = "character maps of SentencePiece",
                                      .max_bytes = 2304,
                                      .attempt = try_character_map};

}  // namespace regard::targets
