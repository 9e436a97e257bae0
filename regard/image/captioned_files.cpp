#include "regard/image/captioned_files.h"

#include <filesystem>

#include "regard/base/check.h"
#include "regard/batch/lines.h"
#include "regard/batch/pair_filter.h"
#include "regard/image/png_reader.h"

namespace regard {
namespace {

std::string shown(const std::string& list) {
  return list == "-" ? "standard input" : list;
}

CaptionedFile captioned_file(const std::string& list, const TextLine& line) {
  const auto blame = [&](const auto&... parts) {
    fail(Blame(Fault::input).at(list, line.number), shown(list), ":", line.number, ": ", parts...);
  };
  const std::string fault = fault_of_line(line);
  if (!fault.empty()) blame(fault);
  const std::size_t tab = line.text.find('\t');
  if (tab == std::string_view::npos)
    blame("no tab; expected the path of a PNG file, a tab and what is said of it");
  if (line.text.find('\t', tab + 1) != std::string_view::npos)
    blame("more than one tab; expected the path of a PNG file, a tab and what is said of it");
  const std::string_view path = line.text.substr(0, tab);
  const std::string caption = on_one_line(line.text.substr(tab + 1));
  if (path.empty()) blame("no path before the tab");
  if (caption.empty()) blame("nothing is said of the picture after the tab");
  const auto folder = std::filesystem::path(list).parent_path();
  return {.path = (folder.empty() ? "." : folder) / path, .caption = caption, .line = line.number};
}

}  // namespace

std::vector<CaptionedFile> read_captioned_files(const std::string& list) {
  std::vector<CaptionedFile> files;
  Lines lines(list);
  while (const std::optional<TextLine> line = lines.next())
    files.push_back(captioned_file(list, *line));
  if (files.empty())
    fail(Blame(Fault::input).at(list), shown(list),
         ": names no picture; expected lines of a PNG file's path, a tab and its caption or label");
  return files;
}

Image read_picture(const std::string& list, const CaptionedFile& file) {
  try {
    return read_png(file.path);
  } catch (const Error& error) {
    fail(Blame(error.fault).at(list, file.line), shown(list), ":", file.line, ": ", error.what());
  }
}

}  // namespace regard
