#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "regard/base/real.h"
#include "regard/config/field.h"

namespace regard {

/// A value of a setting.
using Value = std::variant<bool, Index, double, std::string>;

/// A setting and the member it sets, which must outlive it.
struct FieldRef {
  Field field;
  std::variant<bool*, Index*, double*, std::string*> member;
};

/// A struct that names its settings in `each(visit)`; see Field.
template <class T>
concept SettingGroup = requires(T& group) {
  group.each([](const Field&, auto&) {});
};

/// The settings of a group, in its order.
template <SettingGroup Group>
std::vector<FieldRef> fields_of(Group& group) {
  std::vector<FieldRef> fields;
  group.each([&](Field field, auto& member) { fields.push_back({std::move(field), &member}); });
  return fields;
}

/// Of all that are not retired.
std::vector<std::string_view> names_of(const std::vector<FieldRef>& fields);

/// By its name or its former name; or nullptr.
const FieldRef* find(const std::vector<FieldRef>& fields, std::string_view name);

/// What the setting is now.
Value value_of(const FieldRef& field);

/// "a whole number from 1 to 65536": the values a setting takes.
std::string expected(const FieldRef& field);

/// Sets it where the value is of its kind and range (a whole number will do for a double; the other
/// way round it will not; NaN and infinity never do). Otherwise says why not: "expected a whole
/// number from 1 to 65536, got 0.5".
[[nodiscard]] std::optional<std::string> assign(const FieldRef& field, const Value& value);

/// The same from text, as flags and variables hold it: "true", "4k" (4,000), "2M" (2,000,000),
/// "0.1". Otherwise says only what was expected: whoever typed the text is shown it as it was.
[[nodiscard]] std::optional<std::string> assign_text(const FieldRef& field, std::string_view text);

/// A text in double quotes, escaped as both JSON and TOML take it.
std::string in_quotes(std::string_view text);

/// Digits that read back as the same number in every locale, as 0.1 or 1e-05.
std::string shortest(double number);

}  // namespace regard
