#include "regard/config/section.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/nearest.h"

namespace regard {
namespace {

constexpr std::size_t kShown = 100;  // of a wrong name, which may be as long as a file

std::string path_of(std::string_view section, std::string_view key) {
  return std::string(section) + "." + std::string(key);
}

/// A name as it stands in a variable's: upper case, joined by '_'.
std::string shouted(std::string_view name) {
  std::string result(name);
  for (char& c : result) c = c == '-' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return result;
}

std::string variable_prefix(const Section& section) {
  return "REGARD_" + shouted(section.name) + "_";
}

/// For a key that was given without its section.
std::string where_known(const std::vector<Section>& sections, std::string_view key) {
  for (const Section& section : sections)
    if (find(section.fields, key)) return "; did you mean '" + path_of(section.name, key) + "'?";
  return "";
}

struct Setting {
  const Section& section;
  const FieldRef& field;
};

/// The setting a variable stands for; where it only looks like one, an Error.
std::optional<Setting> setting_of(const std::vector<Section>& sections, std::string_view variable) {
  const Section* owner = nullptr;
  for (const Section& section : sections) {
    const std::string prefix = variable_prefix(section);
    if (!variable.starts_with(prefix)) continue;
    owner = &section;
    const std::string_view key = variable.substr(prefix.size());
    for (const FieldRef& field : section.fields)
      if (key == shouted(field.field.name) ||
          (!field.field.former.empty() && key == shouted(field.field.former)))
        return Setting{section, field};
  }
  if (!owner) return {};
  std::vector<std::string> known;
  for (const std::string_view name : names_of(owner->fields))
    known.push_back(variable_prefix(*owner) + shouted(name));
  fail(Fault::usage, "environment variable ", variable, ": no such setting",
       did_you_mean(variable.substr(0, kShown),
                    std::vector<std::string_view>(known.begin(), known.end())));
}

}  // namespace

void Origins::set(std::string_view section, std::string_view key, std::string origin) {
  origins_[path_of(section, key)] = {std::move(origin), true};
}

void Origins::follow(std::string_view section, std::string_view key, std::string why) {
  origins_[path_of(section, key)] = {std::move(why), false};
}

std::string Origins::of(std::string_view section, std::string_view key) const {
  const auto found = origins_.find(path_of(section, key));
  return found == origins_.end() ? "default" : found->second.text;
}

bool Origins::is_chosen(std::string_view section, std::string_view key) const {
  const auto found = origins_.find(path_of(section, key));
  return found != origins_.end() && found->second.chosen;
}

const Section* find(const std::vector<Section>& sections, std::string_view name) {
  const auto found = std::ranges::find(sections, name, &Section::name);
  return found == sections.end() ? nullptr : &*found;
}

std::vector<Section> with_others(std::vector<Section> sections) {
  for (const char* name : {"data", "vocab", "model", "train", "decode", "serve"})
    if (!find(sections, name)) sections.push_back({name, {}});
  return sections;
}

std::string unknown_key(const Section& section, std::string_view key) {
  key = key.substr(0, kShown);
  return "unknown key '" + std::string(key) + "' in [" + section.name + "]" +
         did_you_mean(key, names_of(section.fields));
}

std::string unknown_section(const std::vector<Section>& sections, std::string_view name) {
  name = name.substr(0, kShown);
  std::vector<std::string_view> names;
  for (const Section& section : sections) names.push_back(section.name);
  return "unknown section [" + std::string(name) + "]" + did_you_mean(name, names);
}

void set_value(const std::vector<Section>& sections, std::string_view assignment,
               const std::string& origin, Origins& origins) {
  const std::string blamed = origin + " " + std::string(assignment) + ": ";
  const std::size_t equals = assignment.find('=');
  const std::string_view path = assignment.substr(0, equals);
  const std::size_t dot = path.find('.');
  check(equals != std::string_view::npos && dot != std::string_view::npos, blamed,
        "expected SECTION.KEY=VALUE", where_known(sections, path));
  const Section* section = find(sections, path.substr(0, dot));
  check(section, blamed, unknown_section(sections, path.substr(0, dot)));
  const FieldRef* field = find(section->fields, path.substr(dot + 1));
  check(field, blamed, unknown_key(*section, path.substr(dot + 1)));
  const std::optional<std::string> problem = assign_text(*field, assignment.substr(equals + 1));
  check(!problem, blamed, problem.value_or(""));
  origins.set(section->name, field->field.name, origin);
}

void set_by_flag(const Section& section, std::string_view key, std::string_view value,
                 const std::string& flag, Origins& origins) {
  const FieldRef& field = *find(section.fields, key);
  const std::optional<std::string> problem = assign_text(field, value);
  check(!problem, flag, " is '", value, "', ", problem.value_or(""));
  origins.set(section.name, field.field.name, flag);
}

void read_environment(const std::vector<Section>& sections, Origins& origins) {
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    const std::string variable(text.substr(0, equals));
    if (equals == std::string_view::npos || !variable.starts_with("REGARD_")) continue;
    const std::optional<Setting> setting = setting_of(sections, variable);
    if (!setting) continue;
    const std::string_view value = text.substr(equals + 1);
    const std::optional<std::string> problem = assign_text(setting->field, value);
    check(!problem, "environment variable ", variable, " is '", value.substr(0, kShown), "', ",
          problem.value_or(""));
    origins.set(setting->section.name, setting->field.field.name, variable);
  }
}

}  // namespace regard
