#include "regard/base/base64.h"
#include "regard/base/check.h"
#include "regard/page/page.h"

namespace regard {
namespace {

// A file opened from disk has no origin, so browsers refuse to load modules beside it, and data:
// modules cannot name each other by relative paths. An import map gives each module a bare name
// that stands for a data: URL; the meta policy then forbids everything that is not in the file.
constexpr std::string_view kPolicy =
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "script-src 'nonce-regard' data:; style-src 'nonce-regard'; img-src data:; "
    "base-uri 'none'; form-action 'none'\">";
constexpr std::string_view kIcon = "<link rel=\"icon\" href=\"/page/icon.svg\">";
constexpr std::string_view kFolder = "/page/";
constexpr std::string_view kFirst = "/page/theme_first.js";  // no module: runs before all of them
constexpr std::string_view kPreload = "<link rel=\"modulepreload\"";
constexpr std::string_view kScript = "<script type=\"module\" src=\"/page/main.js\"></script>";

std::string_view file(std::string_view name) {
  for (const PageFile& each : page_files())
    if (each.path == name) return each.bytes;
  fail(Fault::bug, "page: no file ", name);
}

std::string replaced_all(std::string text, std::string_view old_part, std::string_view new_part) {
  for (std::size_t at = 0; (at = text.find(old_part, at)) != std::string::npos;
       at += new_part.size())
    text.replace(at, old_part.size(), new_part);
  return text;
}

/// Replaces what must stand in index.html exactly once.
void put_in_place(std::string& page, std::string_view mark, std::string_view content) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) fail(Fault::bug, "page: index.html has no line ", mark);
  page.replace(at, mark.size(), content);
}

/// Drops the lines that begin so.
void drop_lines(std::string& page, std::string_view start) {
  for (std::size_t at = 0; (at = page.find(start, at)) != std::string::npos;)
    page.erase(at, page.find('\n', at) + 1 - at);
}

std::string import_map() {
  std::string entries;
  for (const PageFile& each : page_files()) {
    if (!each.path.ends_with(".js") || each.path == kFirst) continue;
    const std::string module =
        replaced_all(replaced_all(std::string(each.bytes), "from './", "from 'regard/"),
                     "import('./", "import('regard/");
    if (!entries.empty()) entries += ",\n";
    entries += "\"regard/" + std::string(each.path.substr(kFolder.size())) +
               "\":\"data:text/javascript;base64," + base64(module) + "\"";
  }
  return "{\"imports\":{\n" + entries + "\n}}";
}

}  // namespace

std::string saved_page(std::string_view data_json) {
  // In JSON '<' occurs only inside strings, where \u003c is the same character; so no tag, not even
  // </script>, can begin in the data.
  const std::string data = replaced_all(std::string(data_json), "<", "\\u003c");
  std::string page(file("/"));
  put_in_place(page, kIcon,
               std::string(kPolicy) + "\n<link rel=\"icon\" href=\"data:image/svg+xml;base64," +
                   base64(file("/page/icon.svg")) + "\">");
  put_in_place(page, "<script src=\"" + std::string(kFirst) + "\"></script>",
               "<script nonce=\"regard\">\n" + std::string(file(kFirst)) + "</script>");
  for (const PageFile& each : page_files())
    if (each.path.ends_with(".css"))
      put_in_place(page, "<link rel=\"stylesheet\" href=\"" + std::string(each.path) + "\">",
                   "<style nonce=\"regard\">\n" + std::string(each.bytes) + "</style>");
  drop_lines(page, kPreload);
  put_in_place(page, kScript,
               "<script type=\"importmap\" nonce=\"regard\">" + import_map() +
                   "</script>\n<script type=\"application/json\" id=\"regard-data\">" + data +
                   "</script>\n<script type=\"module\" nonce=\"regard\">import 'regard/main.js';"
                   "</script>");
  return page;
}

}  // namespace regard
