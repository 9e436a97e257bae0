#include "regard/page/page.h"

#include <vector>

#include "regard/base/check.h"
#include "regard/page/embedded_file.h"

namespace regard {
namespace {

std::string_view content_type(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  fail(Fault::bug, "page: no content type for ", name);
}

/// The table with its paths, which the views of PageFile point into.
class Files {
 public:
  Files() {
    const std::span<const EmbeddedFile> folder = embedded::page_folder();
    paths_.reserve(folder.size());
    for (const EmbeddedFile& file : folder) {
      paths_.push_back(file.name == "index.html" ? "/" : "/page/" + std::string(file.name));
      files_.push_back({paths_.back(), content_type(file.name), file.bytes});
    }
  }
  std::span<const PageFile> all() const { return files_; }

 private:
  std::vector<std::string> paths_;
  std::vector<PageFile> files_;
};

}  // namespace

std::span<const PageFile> page_files() {
  static const Files files;
  return files.all();
}

}  // namespace regard
