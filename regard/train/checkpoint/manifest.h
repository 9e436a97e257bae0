#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "regard/base/real.h"

namespace regard {

/// The form of a checkpoint folder that this program writes; it reads this and none newer.
inline constexpr Index kCheckpointFormat = 1;

/// A file as the manifest describes it.
struct ManifestEntry {
  std::string name;
  std::uint64_t size = 0;
  std::uint64_t hash = 0;  ///< XXH3, 64 bits

  bool operator==(const ManifestEntry&) const = default;
};

/// What MANIFEST.json of a checkpoint says: which files belong to it, and what they must be.
struct Manifest {
  Index format = kCheckpointFormat;
  Index step = 0;
  std::string note = {};
  std::vector<ManifestEntry> entries = {};

  bool operator==(const Manifest&) const = default;
};

/// XXH3-64 of the bytes (Collet, xxHash).
std::uint64_t content_hash(std::string_view bytes);

/// Whether a name can stand for a file of a checkpoint: a plain name, no way out of the folder.
bool is_plain_name(std::string_view name);

/// JSON that holds a hash of itself, so that damage to the manifest is seen as well.
/// Throws Error(usage) for a name that is not plain or comes twice, or a note that is not UTF-8.
std::string manifest_text(const Manifest& manifest);

/// Throws Error(input) naming `path` if a byte differs from what manifest_text wrote. Of one in
/// a newer format only `format` is read: no older checkpoint may be taken in place of such a one.
Manifest parse_manifest(std::string_view text, const std::string& path);

}  // namespace regard
