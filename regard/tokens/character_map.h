#pragma once

#include <string>
#include <string_view>

namespace regard {

/// Why SentencePiece could not use a precompiled character map safely; empty if it can.
/// The map is a length (4 bytes, little-endian), that many bytes of a trie in double-array form
/// (units of 4 bytes, whole blocks of 256), and replacements that each end in NUL. Every node that
/// any text can reach must lie in the array, none may lie below itself, and every value found must
/// point into the replacements.
std::string character_map_flaw(std::string_view map);

}  // namespace regard
