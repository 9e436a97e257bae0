#include "regard/serve/request/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "regard/base/check.h"
#include "regard/config/json.h"
#include "regard/serve/http_error.h"
#include "regard/serve/request/form.h"

namespace regard {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse_field(std::string_view name, std::string_view what) {
  refuse("Invalid request: ", name, " parameter ", what);
}

Json read_object(const std::string& body) {
  if (body.starts_with("\xEF\xBB\xBF")) refuse("Invalid JSON format: a byte order mark");
  Json object;
  try {
    object = parse_json(body, "Invalid JSON format");
  } catch (const Error& error) {
    refuse(error.what());
  }
  if (!object.is_object()) refuse("Invalid JSON format");
  return object;
}

/// As browsers send them, line breaks of a form are CR LF.
std::string with_plain_breaks(std::string text) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') text[to++] = text[i];
  text.resize(to);
  return text;
}

Json object_of(Form&& form) {
  Json object = Json::object();
  for (auto& [name, value] : form) object[name].push_back(with_plain_breaks(std::move(value)));
  return object;
}

std::string checked_text(const Json& value, std::string_view name) {
  if (!value.is_string()) refuse_field(name, "is not a text");
  std::string text = value.get<std::string>();
  if (text.find('\0') != text.npos) refuse_field(name, "holds a NUL");
  return text;
}

std::int64_t checked_whole(const Json& value, std::string_view name) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)
    refuse_field(name, "is too large");
  if (value.is_number_integer()) return value.get<std::int64_t>();
  std::int64_t number = 0;
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) return number;
  }
  refuse_field(name, "is not a number");
}

double checked_number(const Json& value, std::string_view name) {
  if (value.is_number()) return value.get<double>();
  double number = 0;
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size() && std::isfinite(number))
      return number;
  }
  refuse_field(name, "is not a number");
}

}  // namespace

std::string media_type(std::string_view header) {
  std::string type(header.substr(0, header.find(';')));
  std::erase_if(type, [](char c) { return c == ' ' || c == '\t'; });
  for (char& c : type)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return type;
}

Fields Fields::of_body(const HttpRequest& request) {
  const std::string_view header = request.header("Content-Type");
  const std::string type = media_type(header);
  if (request.body.empty()) return Fields(Json::object());
  if (type == "application/json" || type.ends_with("+json"))
    return Fields(read_object(request.body));
  Form form;
  if (type == "application/x-www-form-urlencoded")
    form = url_form(request.body);
  else if (type == "multipart/form-data")
    form = multipart_form(request.body, header);
  else
    throw HttpError{.status = 415,
                    .text = "Content-Type is " + (type.empty() ? "missing" : quoted(type)) +
                            "; expected application/json, application/x-www-form-urlencoded or "
                            "multipart/form-data"};
  Fields fields(object_of(std::move(form)));
  fields.form_ = true;
  return fields;
}

Fields Fields::of_query(std::string_view query) {
  Fields fields(object_of(url_form(query)));
  fields.form_ = true;
  return fields;
}

/// The value of a name; of a form, the last that came. None if it is absent.
const Json* Fields::find(std::string_view name) const {
  const auto found = object_.find(name);
  if (found == object_.end() || found->is_null()) return nullptr;
  const Json& value = form_ ? found->back() : *found;
  const bool empty = (value.is_string() && value.get_ref<const std::string&>().empty()) ||
                     (value.is_array() && value.empty());
  return empty ? nullptr : &value;
}

bool Fields::given(std::string_view name) const {
  const auto found = object_.find(name);
  return found != object_.end() && !found->is_null();
}

std::optional<std::string> Fields::text(std::string_view name) const {
  const Json* value = find(name);
  if (!value) return {};
  return checked_text(*value, name);
}

std::optional<std::string> Fields::word(std::string_view name) const {
  const Json* value = find(name);
  if (value && (value->is_number() || value->is_boolean())) return value->dump();
  return text(name);
}

std::optional<Fields::Texts> Fields::texts(std::string_view name) const {
  const Json* value = find(name);
  if (!value) return {};
  Texts texts{{}, value->is_array()};
  if (!texts.is_list) {
    if (!value->is_string()) refuse_field(name, "is not a text or a list of texts");
    texts.all.push_back(checked_text(*value, name));
    return texts;
  }
  for (const Json& each : *value) texts.all.push_back(checked_text(each, name));
  return texts;
}

std::vector<std::string> Fields::list(std::string_view name) const {
  const auto found = object_.find(name);
  std::vector<std::string> all;
  if (found == object_.end() || found->is_null()) return all;
  if (!found->is_array()) return {checked_text(*found, name)};
  for (const Json& each : *found) all.push_back(checked_text(each, name));
  return all;
}

std::vector<std::int64_t> Fields::wholes(std::string_view name) const {
  const auto found = object_.find(name);
  std::vector<std::int64_t> all;
  if (found == object_.end() || found->is_null()) return all;
  if (!found->is_array()) return {checked_whole(*found, name)};
  for (const Json& each : *found) all.push_back(checked_whole(each, name));
  return all;
}

std::optional<std::int64_t> Fields::whole(std::string_view name) const {
  const Json* value = find(name);
  if (!value) return {};
  return checked_whole(*value, name);
}

std::optional<double> Fields::number(std::string_view name) const {
  const Json* value = find(name);
  if (!value) return {};
  return checked_number(*value, name);
}

std::optional<bool> Fields::flag(std::string_view name) const {
  const Json* value = find(name);
  if (!value) return {};
  if (value->is_boolean()) return value->get<bool>();
  const std::string text = value->is_string() ? value->get<std::string>() : value->dump();
  if (text == "1" || text == "true") return true;
  if (text == "0" || text == "false") return false;
  refuse_field(name, "is neither true nor false");
}

std::string Fields::needed(std::string_view name) const {
  const std::optional<std::string> value = text(name);
  if (!value) refuse("Invalid request: missing ", name, " parameter");
  return *value;
}

}  // namespace regard
