#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "regard/config/field_ref.h"

namespace regard {

/// JSON as text, strictly: a key given twice, more than kMaxJsonDepth levels, text that is not
/// UTF-8 or goes on after the value throw Error(input) naming `where` and the offset. Time is
/// n log n at worst. This is the one place where JSON is read.
inline constexpr int kMaxJsonDepth = 32;
nlohmann::json parse_json(std::string_view text, const std::string& where);

/// The same one by one, for what is too large to be made a value: each event is told to `events`,
/// which refuses what is too deep, and what is no JSON, by throwing. Takes no stack for depth.
using JsonEvents = nlohmann::json_sax<nlohmann::json>;
void parse_json(std::string_view text, const std::string& where, JsonEvents& events);

/// What a setting that a file does not name becomes.
enum class Absent {
  keeps,   ///< what it was
  is_bad,  ///< Error(input)
};

/// Sets the fields from an object. An unknown key, or a value that is of another type or out of
/// range, throws Error(input) naming `where` (the file, and the part of it) and the key.
void read_json(const nlohmann::json& object, const std::vector<FieldRef>& fields,
               const std::string& where, Absent absent = Absent::keeps);

/// The fields as an object, in their order; read_json gives back the same values, bit for bit.
nlohmann::ordered_json to_json(const std::vector<FieldRef>& fields);

template <SettingGroup Group>
void read_json(const nlohmann::json& object, Group& group, const std::string& where,
               Absent absent = Absent::keeps) {
  read_json(object, fields_of(group), where, absent);
}

template <SettingGroup Group>
nlohmann::ordered_json to_json(Group group) {
  return to_json(fields_of(group));
}

}  // namespace regard
