#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "regard/config/field_ref.h"

namespace regard {

/// A group of settings under its name: [model] of a config file.
struct Section {
  std::string name;
  std::vector<FieldRef> fields;  ///< none: other commands read that section, and this one does not
};

/// The sections and, without their fields, all others that a config file may have, so that one file
/// serves every command.
std::vector<Section> with_others(std::vector<Section> sections);

/// Where each setting's value came from: "preset small", "regard.toml:7", "--set", a variable's
/// name, or "default" if nobody set it.
class Origins {
 public:
  void set(std::string_view section, std::string_view key, std::string origin);
  /// Of a value that nobody chose: it follows from another setting.
  void follow(std::string_view section, std::string_view key, std::string why);
  std::string of(std::string_view section, std::string_view key) const;
  bool is_chosen(std::string_view section, std::string_view key) const;

 private:
  struct Origin {
    std::string text;
    bool chosen;
  };
  std::map<std::string, Origin> origins_;  // by "section.key"
};

const Section* find(const std::vector<Section>& sections, std::string_view name);  ///< or nullptr

/// What to say of a key that a section does not have: "unknown key 'd-modle' in [model]; did you
/// mean 'd_model'?"; and of a section that there is not.
std::string unknown_key(const Section& section, std::string_view key);
std::string unknown_section(const std::vector<Section>& sections, std::string_view name);

/// Sets one setting from "section.key=value", as a flag gives it: "model.d_model=256". Throws
/// Error(usage) that begins with `origin`, as "--set", and the assignment.
void set_value(const std::vector<Section>& sections, std::string_view assignment,
               const std::string& origin, Origins& origins);

/// Sets one setting from a flag of its own: "d_model" of a section by "--d-model 256". Throws
/// Error(usage): "--d-model is '0', expected a whole number ..."
/// REQUIRES a setting of the section
void set_by_flag(const Section& section, std::string_view key, std::string_view value,
                 const std::string& flag, Origins& origins);

/// Sets what variables REGARD_<SECTION>_<KEY> of the environment say: REGARD_MODEL_D_MODEL=256.
/// Throws Error(usage) naming the variable; one that begins like a section's but names no key of it
/// is an Error too.
void read_environment(const std::vector<Section>& sections, Origins& origins);

}  // namespace regard
