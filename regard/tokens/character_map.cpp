#include "regard/tokens/character_map.h"

#include <cstdint>
#include <vector>

namespace regard {
namespace {

std::uint32_t unit_at(std::string_view bytes, std::size_t index) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::uint32_t{static_cast<unsigned char>(bytes[4 * index + i])} << (8 * i);
  return value;
}

// The layout of a unit in Yata's darts-clone: bit 31 marks a value, bits 0-7 are the label, bit 8
// says that the node has a value, bits 10-30 are the distance to the children, in units of 256
// where bit 9 is set.
constexpr std::uint32_t kValueMark = std::uint32_t{1} << 31;
constexpr std::uint32_t label(std::uint32_t unit) {
  return unit & (kValueMark | 0xFF);
}
constexpr bool has_value(std::uint32_t unit) {
  return (unit >> 8 & 1) != 0;
}
constexpr std::uint32_t distance(std::uint32_t unit) {
  return (unit & ~kValueMark) >> 10 << ((unit & (1u << 9)) >> 6);
}

constexpr std::size_t kBlock = 256;

/// Nodes are shared between words with the same ending, so a node may be met again once all below
/// it is known, but not on the way down from itself: that would be a cycle.
std::string walk_flaw(std::string_view trie, std::size_t replacements) {
  enum class Mark : std::uint8_t { unseen, open, done };
  struct Step {
    std::size_t node;
    std::uint32_t next_label;
  };
  const std::size_t units = trie.size() / 4;
  std::vector<Mark> marks(units, Mark::unseen);
  std::vector<Step> path{{.node = 0, .next_label = 0}};
  marks[0] = Mark::open;
  while (!path.empty()) {
    Step& step = path.back();
    const std::uint32_t unit = unit_at(trie, step.node);
    // Children of a node lie in one block, so they are all inside where one of them is.
    const std::size_t children = step.node ^ distance(unit);
    if (step.next_label == 0) {
      if (children >= units) return "a node's children lie outside the trie";
      if (has_value(unit) && (unit_at(trie, children) & ~kValueMark) >= replacements)
        return "a value points outside the replacements";
    }
    if (step.next_label == 255) {
      marks[step.node] = Mark::done;
      path.pop_back();
      continue;
    }
    const std::uint32_t byte = ++step.next_label;
    const std::size_t child = children ^ byte;
    if (label(unit_at(trie, child)) != byte) continue;
    if (marks[child] == Mark::open) return "the trie has a cycle";
    if (marks[child] == Mark::unseen) {
      marks[child] = Mark::open;
      path.push_back({.node = child, .next_label = 0});
    }
  }
  return {};
}

}  // namespace

std::string character_map_flaw(std::string_view map) {
  if (map.empty()) return {};
  if (map.size() < 4) return "shorter than its length field";
  const std::size_t trie_size = unit_at(map, 0);
  map.remove_prefix(4);
  if (trie_size > map.size()) return "the trie is longer than the map";
  const std::size_t units = trie_size / 4;
  if (trie_size % 4 != 0 || units == 0 || units % kBlock != 0)
    return "the trie is not whole blocks of 256 units";
  const std::string_view trie = map.substr(0, trie_size);
  const std::string_view replacements = map.substr(trie_size);
  if (replacements.empty() || replacements.back() != '\0')
    return "the replacements do not end in NUL";
  if ((unit_at(trie, 0) & kValueMark) != 0 || has_value(unit_at(trie, 0)))
    return "the trie's root is a value";

  return walk_flaw(trie, replacements.size());
}

}  // namespace regard
