#include "regard/serve/guard/api_keys.h"

#include <sstream>

#include "regard/base/check.h"
#include "regard/base/file.h"
#include "regard/serve/guard/sha256.h"

namespace regard {

ApiKeys::ApiKeys(const std::string& path) {
  std::istringstream lines(read_file(path, 1 << 20));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (line.size() > kLongest)
      fail(Fault::input, path, ":", number, ": a key of ", line.size(), " bytes; expected ",
           kLongest, " at most");
    hashes_.push_back(sha256(line));
  }
  if (hashes_.empty()) fail(Fault::input, path, ": no API key in it; expected one per line");
}

bool ApiKeys::accepts(std::string_view key) const {
  const bool fits = key.size() <= kLongest;
  const std::array<std::uint8_t, 32> asked = sha256(fits ? key : std::string_view());
  bool found = false;
  for (const auto& hash : hashes_) {
    unsigned difference = 0;
    for (std::size_t i = 0; i < hash.size(); ++i) difference |= hash[i] ^ asked[i];
    found |= difference == 0;
  }
  return found && fits;
}

}  // namespace regard
