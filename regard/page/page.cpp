#include "regard/page/page.h"

#include <zlib.h>

#include <new>
#include <string>
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

/// What gzip data of our own build holds; its last four bytes say how much, little-endian.
std::string unpacked(std::string_view packed) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i)
    size |= static_cast<std::size_t>(static_cast<unsigned char>(packed[packed.size() - 4 + i]))
            << 8 * i;
  std::string content(size, '\0'), source(packed);  // zlib's input is not const
  z_stream stream{};
  stream.next_in = reinterpret_cast<Bytef*>(source.data());
  stream.avail_in = static_cast<uInt>(source.size());
  stream.next_out = reinterpret_cast<Bytef*>(content.data());
  stream.avail_out = static_cast<uInt>(content.size());
  constexpr int kGzip = 16;  // what zlib wants added for it
  if (inflateInit2(&stream, MAX_WBITS + kGzip) != Z_OK) throw std::bad_alloc();
  const int state = inflate(&stream, Z_FINISH);
  inflateEnd(&stream);
  if (state == Z_MEM_ERROR) throw std::bad_alloc();
  if (state != Z_STREAM_END || stream.avail_out != 0)
    fail(Fault::bug, "page: a file that the program holds is damaged");
  return content;
}

/// The table with its paths and contents, which the views of PageFile point into.
class Files {
 public:
  Files() {
    const std::span<const EmbeddedFile> folder = embedded::page_folder();
    paths_.reserve(folder.size());
    contents_.reserve(folder.size());
    for (const EmbeddedFile& file : folder) {
      paths_.push_back(file.name == "index.html" ? "/" : "/page/" + std::string(file.name));
      contents_.push_back(unpacked(file.packed));
      files_.push_back({paths_.back(), content_type(file.name), contents_.back(), file.packed});
    }
  }
  std::span<const PageFile> all() const { return files_; }

 private:
  std::vector<std::string> paths_, contents_;
  std::vector<PageFile> files_;
};

}  // namespace

std::span<const PageFile> page_files() {
  static const Files files;
  return files.all();
}

}  // namespace regard
