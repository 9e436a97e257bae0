#include "regard/train/checkpoint/manifest.h"

#include <fmt/format.h>

#include "fuzz/target.h"
#include "regard/config/json.h"

namespace regard::targets {
namespace {

void check_manifest(std::string_view text) {
  const Manifest manifest = parse_manifest(text, "MANIFEST.json");
  if (manifest.format > kCheckpointFormat) return;
  for (const ManifestEntry& entry : manifest.entries)
    law(is_plain_name(entry.name), "a file is named ", entry.name);
  law(parse_manifest(manifest_text(manifest), "again") == manifest, "another manifest comes back");
}

/// The bytes as a manifest, and, where they are JSON, sealed as one: no luck would find a seal.
void try_manifest(std::string_view bytes) {
  nlohmann::json json = parse_json(bytes, "MANIFEST.json");
  if (json.is_object()) {
    json.erase("seal");
    json["seal"] = fmt::format("{:016x}", content_hash(json.dump(1)));
    check_manifest(json.dump(1) + "\n");
  }
  check_manifest(bytes);
}

}  // namespace

extern const FuzzTarget manifest{.name = "manifest",
                                 .about = "the list of a checkpoint's files",
                                 .max_bytes = 512,
                                 .attempt = try_manifest};

}  // namespace regard::targets
