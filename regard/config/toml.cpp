#include "regard/config/toml.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "regard/base/check.h"
#include "regard/base/file.h"

namespace regard {
namespace {

/// The value, or nothing if it is of a kind no setting has: a date, an array, a table.
std::optional<Value> value_from(const toml::node& node) {
  if (const auto* flag = node.as_boolean()) return flag->get();
  if (const auto* whole = node.as_integer()) return Index{whole->get()};
  if (const auto* number = node.as_floating_point()) return number->get();
  if (const auto* text = node.as_string()) return text->get();
  return {};
}

std::string_view kind_of(const toml::node& node) {
  return node.is_table() ? "a section" : node.is_array() ? "an array" : "a date or time";
}

/// What is wrong with a file, in the order of the file.
class Problems {
 public:
  void add(toml::source_position at, std::string text) { list_.emplace_back(at, std::move(text)); }

  void report(const std::string& path) {
    if (list_.empty()) return;
    std::ranges::stable_sort(list_, {},
                             [](const auto& p) { return std::pair(p.first.line, p.first.column); });
    std::string lines;
    for (const auto& [at, text] : list_)
      lines +=
          fmt::format("{}{}:{}:{}: {}", lines.empty() ? "" : "\n", path, at.line, at.column, text);
    fail(Blame(Fault::usage).at(path, list_.front().first.line), lines);
  }

 private:
  std::vector<std::pair<toml::source_position, std::string>> list_;
};

void read_section(const Section& section, const toml::table& table, const std::string& path,
                  Origins& origins, Problems& problems) {
  if (section.fields.empty()) return;
  for (const auto& [key, node] : table) {
    const FieldRef* field = find(section.fields, key.str());
    if (!field) {
      problems.add(key.source().begin, unknown_key(section, key.str()));
      continue;
    }
    if (key.str() != field->field.name && table.contains(field->field.name)) {
      problems.add(key.source().begin,
                   fmt::format("'{}' is the former name of '{}', which is there too", key.str(),
                               field->field.name));
      continue;
    }
    const std::optional<Value> value = value_from(node);
    const std::optional<std::string> problem =
        value ? assign(*field, *value)
              : fmt::format("expected {}, got {}", expected(*field), kind_of(node));
    if (problem)
      problems.add(node.source().begin, std::string(key.str()) + ": " + *problem);
    else
      origins.set(section.name, field->field.name,
                  fmt::format("{}:{}", path, key.source().begin.line));
  }
}

/// Dots in lines that are more than a comment.
std::ptrdiff_t dots(std::string_view text) {
  std::ptrdiff_t count = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string_view::npos && line[first] != '#')
      count += std::ranges::count(line, '.');
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return count;
}

std::string written(const Value& value) {
  struct Write {
    std::string operator()(bool is) const { return is ? "true" : "false"; }
    std::string operator()(Index number) const { return std::to_string(number); }
    std::string operator()(double number) const { return shortest(number); }
    std::string operator()(const std::string& text) const { return in_quotes(text); }
  };
  return std::visit(Write{}, value);
}

}  // namespace

void read_toml(const std::string& path, const std::vector<Section>& sections, Origins& origins) {
  read_toml_text(read_file(path), path, sections, origins);
}

void read_toml_text(std::string_view text, const std::string& path,
                    const std::vector<Section>& sections, Origins& origins) {
  check(text.size() <= kMaxTomlSize, path, ": larger than ", kMaxTomlSize,
        " bytes; is this a config file?");
  // The parser takes [a.a.a. ...] of any depth, but its tables go away recursively, and the stack
  // ends.
  constexpr std::ptrdiff_t kMaxDots = 4'000;
  check(dots(text) <= kMaxDots, path, ": too many dotted keys; is this a config file?");
  Problems problems;
  toml::table root;
  try {
    root = toml::parse(text, path);
  } catch (const toml::parse_error& error) {
    problems.add(error.source().begin, std::string(error.description()));
  }
  for (const auto& [key, node] : root) {
    const Section* section = find(sections, key.str());
    const toml::table* table = node.as_table();
    if (section && table)
      read_section(*section, *table, path, origins, problems);
    else if (table)
      problems.add(key.source().begin, unknown_section(sections, key.str()));
    else
      problems.add(key.source().begin, fmt::format("'{}' is in no section; sections look like [{}]",
                                                   key.str(), sections.front().name));
  }
  problems.report(path);
}

std::string dump_toml(const std::vector<Section>& sections, const Origins& origins, Dump dump) {
  std::string text;
  for (const Section& section : sections) {
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section.name);
    for (const FieldRef& field : section.fields) {
      if (field.field.retired) continue;
      // Quoted, then without its quotes: whatever a file is called, the comment stays one line.
      std::string origin = in_quotes(origins.of(section.name, field.field.name));
      origin = origin.substr(1, origin.size() - 2);
      if (dump == Dump::to_edit) {
        text += fmt::format("# {}\n", field.field.help);
        if (!origins.is_chosen(section.name, field.field.name)) text += "#";
      }
      text += fmt::format("{} = {}  # {}\n", field.field.name, written(value_of(field)), origin);
    }
  }
  return text;
}

}  // namespace regard
