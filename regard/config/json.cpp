#include "regard/config/json.h"

#include <limits>
#include <set>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShown = 100;  // of a wrong key, which may be as long as a file

/// The value, or nothing where it is of a kind no setting has: null, an array, an object.
std::optional<Value> value_from(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_unsigned() &&
      json.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<Index>::max()))
    return json.get<double>();
  if (json.is_number_integer()) return json.get<Index>();
  if (json.is_number_float()) return json.get<double>();
  return {};
}

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  std::vector<std::set<std::string>> open;  // the keys so far of each object we are in
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (depth >= kMaxJsonDepth)
        fail(Fault::input, where, ": nested deeper than ", kMaxJsonDepth, " levels");
      open.emplace_back();
    } else if (event == Event::object_end || event == Event::array_end) {
      open.pop_back();
    } else if (event == Event::key) {
      if (!open.back().insert(parsed.get<std::string>()).second)
        fail(Fault::input, where, ": key ", in_quotes(parsed.get<std::string>()), " comes twice");
    }
    return true;
  };
  // The parser takes a NUL for the end of the text, whatever follows.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos)
    fail(Fault::input, where, ": @", nul, ": not valid JSON: a NUL");
  try {
    return Json::parse(text.begin(), text.end(), watch);
  } catch (const Json::parse_error& error) {
    fail(Fault::input, where, ": @", error.byte, ": not valid JSON");
  } catch (const Json::out_of_range&) {
    fail(Fault::input, where, ": a number is too large");
  }
}

void read_json(const Json& object, const std::vector<FieldRef>& fields, const std::string& where,
               Absent absent) {
  if (!object.is_object())
    fail(Fault::input, where, ": expected an object in {}, got ", object.type_name());
  for (const auto& [key, json] : object.items()) {
    const FieldRef* field = find(fields, key);
    if (!field)
      fail(Fault::input, where, ": unknown key ", in_quotes(key.substr(0, kShown)),
           did_you_mean(key.substr(0, kShown), names_of(fields)));
    const std::optional<Value> value = value_from(json);
    const std::optional<std::string> problem =
        value ? assign(*field, *value)
              : "expected " + expected(*field) + ", got " + json.type_name();
    if (problem) fail(Fault::input, where, ": ", in_quotes(key), ": ", *problem);
  }
  if (absent == Absent::keeps) return;
  for (const FieldRef& field : fields)
    if (!object.contains(field.field.name))
      fail(Fault::input, where, ": key \"", field.field.name, "\" is missing, expected ",
           expected(field));
}

nlohmann::ordered_json to_json(const std::vector<FieldRef>& fields) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const FieldRef& field : fields)
    std::visit([&](const auto& value) { object[std::string(field.field.name)] = value; },
               value_of(field));
  return object;
}

}  // namespace regard
