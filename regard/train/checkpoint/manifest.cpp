#include "regard/train/checkpoint/manifest.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>
#include <optional>
#include <set>

#include "regard/base/check.h"
#include "regard/config/json.h"

namespace regard {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxInManifest = std::uint64_t{1} << 53;
constexpr std::size_t kMaxShown = 100;

std::string hex(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

/// The text with a hash of everything else in it. Keys are in the order of the alphabet, so the
/// text is a function of what it says.
std::string sealed(Json json) {
  json["seal"] = hex(content_hash(json.dump(1)));
  return json.dump(1) + "\n";
}

/// The content, or nothing if the text is not, byte for byte, what `sealed` makes of it. This
/// form is the same for every format there will be.
std::optional<Json> unsealed(std::string_view text) {
  try {
    Json json = parse_json(text, "");
    if (!json.is_object() || json.erase("seal") == 0 || sealed(json) != text) return {};
    return json;
  } catch (const Error&) {
    return {};
  }
}

std::uint64_t hash_from(const std::string& text) {
  std::uint64_t hash = 0;
  std::from_chars(text.data(), text.data() + text.size(), hash, 16);
  return hash;
}

/// A count by its key; get() alone would take -1, 0.5 or 1e300 for some other one.
Index count_in(const Json& json, const char* key, Index least, const std::string& path) {
  const Json& count = json.at(key);
  const bool whole = count.is_number_unsigned() && count.get<std::uint64_t>() <= kMaxInManifest;
  if (!whole || count.get<Index>() < least)
    fail(Fault::input, path, ": \"", key, "\": expected a whole number from ", least, " to ",
         kMaxInManifest, ", got ", count.dump().substr(0, kMaxShown));
  return count.get<Index>();
}

Manifest manifest_from(const Json& json, const std::string& path) {
  Manifest manifest{.format = count_in(json, "format", 1, path),
                    .step = count_in(json, "step", 0, path),
                    .note = json.at("note").get<std::string>()};
  const Json& files = json.at("files");
  if (!files.is_array()) fail(Fault::input, path, ": \"files\": expected a list in []");
  for (const Json& file : files)
    manifest.entries.push_back({.name = file.at("name").get<std::string>(),
                                .size = static_cast<std::uint64_t>(count_in(file, "size", 0, path)),
                                .hash = hash_from(file.at("xxh3").get<std::string>())});
  return manifest;
}

}  // namespace

std::uint64_t content_hash(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

bool is_plain_name(std::string_view name) {
  constexpr std::size_t kLongestName = 255;
  return !name.empty() && name.size() <= kLongestName && name != "." && name != ".." &&
         name.find('/') == name.npos && name.find('\0') == name.npos && name != "MANIFEST.json";
}

std::string manifest_text(const Manifest& manifest) {
  std::set<std::string> names;
  Json files = Json::array();
  for (const ManifestEntry& entry : manifest.entries) {
    check(is_plain_name(entry.name), "\"", entry.name, "\" cannot name a file of a checkpoint");
    check(names.insert(entry.name).second, "two files of a checkpoint are called ", entry.name);
    files.push_back({{"name", entry.name}, {"size", entry.size}, {"xxh3", hex(entry.hash)}});
  }
  try {
    return sealed({{"format", manifest.format},
                   {"step", manifest.step},
                   {"note", manifest.note},
                   {"files", files}});
  } catch (const Json::type_error&) {
    fail(Fault::usage, "the names and the note of a checkpoint must be UTF-8");
  }
}

Manifest parse_manifest(std::string_view text, const std::string& path) {
  const std::optional<Json> json = unsealed(text);
  if (!json) fail(Fault::input, path, ": corrupt: wrong checksum");
  try {
    const Index format = count_in(*json, "format", 1, path);
    if (format > kCheckpointFormat) return {.format = format};
    const Manifest manifest = manifest_from(*json, path);
    std::set<std::string> names;
    for (const ManifestEntry& entry : manifest.entries)
      if (!is_plain_name(entry.name) || !names.insert(entry.name).second)
        fail(Fault::input, path, ": \"", entry.name, "\" cannot name a file of a checkpoint");
    return manifest;
  } catch (const Json::exception& error) {
    fail(Fault::input, path, ": not a manifest of a checkpoint: ", error.what());
  }
}

}  // namespace regard
