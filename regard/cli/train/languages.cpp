#include "regard/cli/train/languages.h"

#include <filesystem>

#include "regard/trace/language.h"

namespace regard {

std::string language_of_file(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (name.extension() == ".gz") name = name.stem();
  const std::string ending = name.extension().string();
  if (ending.size() < 2) return "";
  std::string code = ending.substr(1);
  // A language that has no name here is returned as its code.
  return language_name(code) == code ? "" : code;
}

}  // namespace regard
