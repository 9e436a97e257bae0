#include "regard/config/field_ref.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "regard/base/nearest.h"

namespace regard {
namespace {

constexpr std::size_t kShown = 100;  // of a wrong text, which may be as long as a file

std::string range(const Field& field) {
  const bool least = std::isfinite(field.least), most = std::isfinite(field.most);
  if (least && most) return " from " + shortest(field.least) + " to " + shortest(field.most);
  if (least) return " of at least " + shortest(field.least);
  if (most) return " of at most " + shortest(field.most);
  return "";
}

std::string shown(const Value& value) {
  struct Show {
    std::string operator()(bool is) const { return is ? "true" : "false"; }
    std::string operator()(Index number) const { return std::to_string(number); }
    std::string operator()(double number) const { return shortest(number); }
    std::string operator()(const std::string& text) const {
      return in_quotes(std::string_view(text).substr(0, kShown));
    }
  };
  return std::visit(Show{}, value);
}

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

/// In long double, which holds every Index and every double: 2^53 + 1 is more than 2^53.
bool within(const Field& field, long double number) {
  return std::isfinite(number) && number >= field.least && number <= field.most;
}
static_assert(std::numeric_limits<long double>::digits >= std::numeric_limits<Index>::digits);

bool take(const Field&, bool& member, const Value& value) {
  if (!std::holds_alternative<bool>(value)) return false;
  member = std::get<bool>(value);
  return true;
}

bool take(const Field& field, Index& member, const Value& value) {
  const Index* number = std::get_if<Index>(&value);
  if (!number || !within(field, static_cast<long double>(*number))) return false;
  member = *number;
  return true;
}

bool take(const Field& field, double& member, const Value& value) {
  const Index* whole = std::get_if<Index>(&value);
  const double* number = std::get_if<double>(&value);
  if (!whole && !number) return false;
  const double candidate = whole ? static_cast<double>(*whole) : *number;
  if (!within(field, candidate)) return false;
  member = candidate;
  return true;
}

bool take(const Field& field, std::string& member, const Value& value) {
  const std::string* text = std::get_if<std::string>(&value);
  if (!text || !is_utf8(*text)) return false;
  if (!field.words.empty() && std::ranges::find(field.words, *text) == field.words.end())
    return false;
  member = *text;
  return true;
}

std::optional<Index> parse_index(std::string_view text) {
  Index unit = 1, value = 0;
  if (text.ends_with('k')) unit = 1'000;
  if (text.ends_with('M')) unit = 1'000'000;
  if (unit > 1) text.remove_suffix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  if (__builtin_mul_overflow(value, unit, &value)) return {};
  return value;
}

std::optional<double> parse_double(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

/// The text as a value of the setting's kind, or as it is.
Value parsed(const FieldRef& field, std::string_view text) {
  if (std::holds_alternative<bool*>(field.member) && (text == "true" || text == "false"))
    return text == "true";
  if (std::holds_alternative<Index*>(field.member)) {
    if (const std::optional<Index> number = parse_index(text)) return *number;
  } else if (std::holds_alternative<double*>(field.member)) {
    if (const std::optional<double> number = parse_double(text)) return *number;
  }
  return std::string(text);
}

bool is_taken(const FieldRef& field, const Value& value) {
  return std::visit([&](auto* member) { return take(field.field, *member, value); }, field.member);
}

/// "; did you mean 'adam'?" of a word that is nearly one of the setting's.
std::string hint(const FieldRef& field, const Value& value) {
  const std::string* text = std::get_if<std::string>(&value);
  if (!text || field.field.words.empty()) return "";
  std::string meant = did_you_mean(std::string_view(*text).substr(0, kShown), field.field.words);
  return meant.find("did you mean") == std::string::npos ? "" : meant;
}

}  // namespace

std::vector<std::string_view> names_of(const std::vector<FieldRef>& fields) {
  std::vector<std::string_view> names;
  for (const FieldRef& field : fields)
    if (!field.field.retired) names.push_back(field.field.name);
  return names;
}

const FieldRef* find(const std::vector<FieldRef>& fields, std::string_view name) {
  const auto found = std::ranges::find_if(fields, [&](const FieldRef& field) {
    return name == field.field.name || (!name.empty() && name == field.field.former);
  });
  return found == fields.end() ? nullptr : &*found;
}

Value value_of(const FieldRef& field) {
  return std::visit([](const auto* member) { return Value(*member); }, field.member);
}

std::string expected(const FieldRef& field) {
  if (std::holds_alternative<bool*>(field.member)) return "true or false";
  if (std::holds_alternative<Index*>(field.member)) return "a whole number" + range(field.field);
  if (std::holds_alternative<double*>(field.member)) return "a number" + range(field.field);
  if (field.field.words.empty()) return "a text in UTF-8";
  std::string list = "one of";
  for (const std::string_view word : field.field.words)
    list += (list == "one of" ? " " : ", ") + (word.empty() ? "\"\"" : std::string(word));
  return list;
}

std::optional<std::string> assign(const FieldRef& field, const Value& value) {
  if (is_taken(field, value)) return {};
  return "expected " + expected(field) + ", got " + shown(value) + hint(field, value);
}

std::optional<std::string> assign_text(const FieldRef& field, std::string_view text) {
  const Value value = parsed(field, text);
  if (is_taken(field, value)) return {};
  return "expected " + expected(field) + hint(field, value);
}

std::string in_quotes(std::string_view text) {
  std::string quoted =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  // DEL may stand in JSON, but not in TOML.
  for (std::size_t at = 0; (at = quoted.find('\x7f', at)) != std::string::npos;)
    quoted.replace(at, 1, "\\u007f");
  return quoted;
}

std::string shortest(double number) {
  return fmt::format("{}", number);
}

}  // namespace regard
