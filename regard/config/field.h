#pragma once

#include <limits>
#include <string_view>
#include <utility>
#include <vector>

namespace regard {

/// A setting: what it is called, what it means, and what values it takes. A group of settings is a
/// struct that names its fields once, in `each(visit)`, as `visit(Field{...}, member)`; members are
/// bool, Index, double or std::string. Config files, flags, config.json and help all walk that.
struct Field {
  std::string_view name, help;
  double least = -std::numeric_limits<double>::infinity();  ///< numbers only
  double most = std::numeric_limits<double>::infinity();
  std::vector<std::string_view> words{};  ///< strings only: the choices; empty: any
  std::string_view former{};              ///< a name it once had: still read, never written
  bool retired = false;  ///< part of another setting by now: still read, never written or shown

  /// A string that is one of the words.
  static Field choice(std::string_view name, std::string_view help,
                      std::vector<std::string_view> words) {
    Field field{name, help};
    field.words = std::move(words);
    return field;
  }

  /// The same setting, which files of older versions call `name`.
  Field formerly(std::string_view name) const {
    Field field = *this;
    field.former = name;
    return field;
  }

  /// A setting that only files of older versions have.
  Field only_read() const {
    Field field = *this;
    field.retired = true;
    return field;
  }
};

}  // namespace regard
