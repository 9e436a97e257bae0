#include "regard/serve/http/message.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "regard/base/log.h"

namespace regard {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Starts anywhere, so that ids of two runs of a server are told apart in one log.
std::string next_id() {
  static std::atomic<std::uint64_t> next{(std::uint64_t{std::random_device()()} << 24)};
  return fmt::format("{:014x}", next.fetch_add(1));
}

}  // namespace

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  if (from == text.npos) return {};
  return text.substr(from, text.find_last_not_of(" \t") - from + 1);
}

std::string_view HttpRequest::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (same_word(key, name)) return value;
  return {};
}

std::string quoted(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', true, json::error_handler_t::replace);
}

HttpResponse error_response(int status, std::string_view text) {
  return {.status = status, .body = fmt::format("{{\"error\":{}}}\n", quoted(text))};
}

std::string log_failure(std::string_view cause) {
  const std::string id = next_id();
  warn("request=", id, " status=500 cause=", quoted(cause));
  return "internal error " + id;
}

HttpResponse internal_error(std::string_view cause) {
  return error_response(500, log_failure(cause));
}

}  // namespace regard
