#include "regard/config/json.h"

#include <limits>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kShown = 100;  // of a wrong key, which may be as long as a file

/// The value, or nothing if it is of a kind no setting has: null, an array, an object.
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

/// Builds the value from the parser's events, so that what is too deep, or named twice, is refused
/// before anything is made of it. (The library's own callback for that looks through a whole array
/// after each entry that is an object or an array: a million of them take hours.)
class StrictReader final : public JsonEvents {
 public:
  explicit StrictReader(const std::string& where) : where_(where) {}

  Json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool x) override { return put(x); }
  bool number_integer(number_integer_t x) override { return put(x); }
  bool number_unsigned(number_unsigned_t x) override { return put(x); }
  bool number_float(number_float_t x, const string_t&) override { return put(x); }
  bool string(string_t& text) override { return put(std::move(text)); }
  bool binary(binary_t& bytes) override { return put(std::move(bytes)); }

  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    auto& object = open_.back()->get_ref<Json::object_t&>();
    const auto [at, added] = object.emplace(name, nullptr);
    if (!added)
      fail(Fault::input, where_, ": key ", in_quotes(name.substr(0, kShown)), " comes twice");
    value_ = &at->second;
    return true;
  }

  bool parse_error(std::size_t byte, const std::string&, const Json::exception& error) override {
    constexpr int kTooLarge = 406;
    if (error.id == kTooLarge) fail(Fault::input, where_, ": a number is too large");
    fail(Fault::input, where_, ": @", byte, ": not valid JSON");
  }

 private:
  bool put(Json json) {
    place(std::move(json));
    return true;
  }

  bool open(Json empty) {
    if (open_.size() >= kMaxJsonDepth)
      fail(Fault::input, where_, ": nested deeper than ", kMaxJsonDepth, " levels");
    open_.push_back(place(std::move(empty)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  Json* place(Json json) {
    Json* to = value_;
    if (open_.empty())
      to = &root_;
    else if (open_.back()->is_array())
      return &open_.back()->emplace_back(std::move(json));
    *to = std::move(json);
    return to;
  }

  const std::string& where_;
  Json root_;
  std::vector<Json*> open_;  // an array grows only while it is the last, so none of them moves
  Json* value_ = nullptr;    // of the key that came last
};

}  // namespace

Json parse_json(std::string_view text, const std::string& where) {
  StrictReader reader(where);
  parse_json(text, where, reader);
  return reader.take();
}

void parse_json(std::string_view text, const std::string& where, JsonEvents& events) {
  // The parser takes a NUL for the end of the text, whatever follows.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos)
    fail(Fault::input, where, ": @", nul, ": not valid JSON: a NUL");
  Json::sax_parse(text.begin(), text.end(), &events);
}

void read_json(const Json& object, const std::vector<FieldRef>& fields, const std::string& where,
               Absent absent) {
  if (!object.is_object())
    fail(Fault::input, where, ": expected an object in {}, got ", object.type_name());
  for (const auto& [key, json] : object.items()) {
    const FieldRef* field = find(fields, key);
    if (field && key != field->field.name && object.contains(field->field.name))
      fail(Fault::input, where, ": key ", in_quotes(key), " is the former name of ",
           in_quotes(field->field.name), ", which is there too");
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
    if (!field.field.retired && !object.contains(field.field.name) &&
        (field.field.former.empty() || !object.contains(field.field.former)))
      fail(Fault::input, where, ": key \"", field.field.name, "\" is missing, expected ",
           expected(field));
}

nlohmann::ordered_json to_json(const std::vector<FieldRef>& fields) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const FieldRef& field : fields) {
    if (field.field.retired) continue;
    std::visit([&](const auto& value) { object[std::string(field.field.name)] = value; },
               value_of(field));
  }
  return object;
}

}  // namespace regard
