#include "regard/serve/text/unknown_header.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "regard/tokens/normalise.h"

namespace regard {
namespace {

constexpr std::size_t kLongestHeader = 1000, kLongestName = 64;  // bytes; of a name, not encoded

/// The text, or as many of its characters as fit.
std::string_view cut(std::string_view text) {
  std::size_t size = 0;
  while (size < text.size()) {
    const std::size_t next = size + first_character(text.substr(size)).size;
    if (next > kLongestName) break;
    size = next;
  }
  return text.substr(0, size);
}

std::string percent_encoded(std::string_view text) {
  std::string encoded;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~").find(c) != std::string_view::npos;
    if (plain)
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace

void add_unknown_header(HttpResponse& response, std::span<const TextAnswer> answers) {
  std::string value;
  std::set<std::string_view> named;
  for (const TextAnswer& answer : answers)
    for (const UnknownText& each : answer.unknown) {
      const std::string_view name = cut(each.word);
      if (!named.insert(name).second) continue;
      std::string next(value.empty() ? "" : ",");
      next += percent_encoded(normalise(name));
      if (value.size() + next.size() > kLongestHeader) {
        response.headers.emplace_back(kUnknownHeader, value + ",...");
        return;
      }
      value += next;
    }
  if (!value.empty()) response.headers.emplace_back(kUnknownHeader, value);
}

}  // namespace regard
