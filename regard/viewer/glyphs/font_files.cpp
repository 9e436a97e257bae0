#include "regard/viewer/glyphs/font_files.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <tuple>

namespace regard {
namespace {

namespace fs = std::filesystem;

std::string setting(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : otherwise;
}

bool is_font(const fs::path& path) {
  std::string ending = path.extension().string();
  for (char& letter : ending)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return ending == ".ttf" || ending == ".otf" || ending == ".ttc" || ending == ".otc";
}

/// By which fonts are tried, the least first: how far the name is from what is wanted.
std::tuple<int, bool, std::string> rank(const fs::path& path, bool bold) {
  constexpr std::string_view kUnlike[] = {"Serif", "Mono",  "Italic", "Oblique", "Condensed",
                                          "Thin",  "Light", "Medium", "Semi",    "Extra",
                                          "Demi",  "Black", "UI",     "Display"};
  const std::string name = path.filename().string();
  const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
  const auto unlike = static_cast<int>(std::ranges::count_if(kUnlike, has));
  return {unlike + !has("Sans") + (has("Bold") != bold), !has("Noto"), path.string()};
}

}  // namespace

std::vector<fs::path> font_folders() {
  // Where the XDG Base Directory Specification says that data lies.
  const fs::path home = setting("HOME", "/");
  std::vector<fs::path> folders{
      fs::path(setting("XDG_DATA_HOME", (home / ".local/share").string())) / "fonts",
      home / ".fonts"};
  const std::string shared = setting("XDG_DATA_DIRS", "/usr/local/share:/usr/share");
  for (std::size_t start = 0; start < shared.size();) {
    const std::size_t end = std::min(shared.find(':', start), shared.size());
    folders.push_back(fs::path(shared.substr(start, end - start)) / "fonts");
    start = end + 1;
  }
  return folders;
}

std::vector<fs::path> font_files(const std::vector<fs::path>& folders, bool bold) {
  std::vector<std::tuple<int, bool, std::string>> ranked;
  for (const fs::path& folder : folders) {
    std::error_code error, ignored;
    constexpr auto kOptions = fs::directory_options::skip_permission_denied;
    for (fs::recursive_directory_iterator it(folder, kOptions, error), end; !error && it != end;
         it.increment(error))
      if (is_font(it->path()) && it->is_regular_file(ignored))
        ranked.push_back(rank(it->path(), bold));
  }
  std::ranges::sort(ranked);
  std::vector<fs::path> files;
  for (const auto& [unlike, other, path] : ranked) files.emplace_back(path);
  return files;
}

}  // namespace regard
