#include "fuzz/target.h"

namespace regard {

bool try_bytes(const FuzzTarget& target, std::string_view bytes) {
  try {
    target.attempt(bytes);
    return true;
  } catch (const Error& error) {
    if (error.fault != target.refusal) throw;
    return false;
  }
}

std::vector<std::string_view> files_in(std::string_view bytes, std::size_t count) {
  constexpr std::string_view kBetween = "\n%%\n";
  std::vector<std::string_view> files;
  while (files.size() < count) {
    const std::size_t end = files.size() + 1 < count ? bytes.find(kBetween) : bytes.npos;
    files.push_back(bytes.substr(0, end));
    bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + kBetween.size());
  }
  return files;
}

}  // namespace regard
