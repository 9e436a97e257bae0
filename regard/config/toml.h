#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "regard/config/section.h"

namespace regard {

/// Sets what a config file names, and notes "file:line" as its origin. All that is wrong with the
/// file goes into one Error(usage), a line each:
///   bad.toml:7:1: unknown key 'd-modle' in [model]; did you mean 'd_model'?
/// A section without fields is passed over, whatever it holds; see with_others.
/// REQUIRES a section at least
void read_toml(const std::string& path, const std::vector<Section>& sections, Origins& origins);

inline constexpr std::size_t kMaxTomlSize = 1 << 16;  ///< bytes of a config file

/// The same of a file's content; `path` is only its name.
void read_toml_text(std::string_view text, const std::string& path,
                    const std::vector<Section>& sections, Origins& origins);

enum class Dump {
  values,  ///< sets every value; read_toml_text of it sets the same values again, bit for bit
  to_edit  ///< a file to edit: with help, and a # before what nobody chose, so that it still
           ///< follows from other settings once those change
};

/// All settings as a config file, each with a comment that says where its value came from.
std::string dump_toml(const std::vector<Section>& sections, const Origins& origins,
                      Dump dump = Dump::values);

}  // namespace regard
