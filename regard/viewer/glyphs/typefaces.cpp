#include "regard/viewer/glyphs/typefaces.h"

#include <ft2build.h>
#include <hb.h>
#include FT_FREETYPE_H

#include <algorithm>

#include "regard/base/check.h"
#include "regard/viewer/text.h"

namespace regard {

namespace embedded {
std::string_view dejavu_sans();
std::string_view dejavu_sans_bold();
}  // namespace embedded

namespace {

constexpr unsigned kMaxInFile = 64;  // typefaces that one file may hold; the largest have a dozen

using Blob = std::unique_ptr<hb_blob_t, decltype(&hb_blob_destroy)>;

bool draws_all(Typeface& typeface, std::span<const std::uint32_t> letters) {
  return std::ranges::all_of(letters, [&](std::uint32_t letter) {
    return takes_no_room(letter) || typeface.draws(letter);
  });
}

}  // namespace

// FreeType's objects are not for two threads at once, so each thread has its own.
struct Typefaces::Library {
  Library() {
    if (const FT_Error error = FT_Init_FreeType(&freetype))
      fail(error == FT_Err_Out_Of_Memory ? Fault::device : Fault::bug,
           "font: cannot start FreeType (error ", error, ")");
  }
  ~Library() { FT_Done_FreeType(freetype); }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  FT_Library freetype = nullptr;
};

Typefaces::Typefaces(std::vector<std::filesystem::path> folders)
    : folders_(std::move(folders)),
      library_(std::make_unique<Library>()),
      regular_(open_ours(false)),
      bold_(open_ours(true)) {}

Typefaces::~Typefaces() = default;

Typefaces& Typefaces::of_this_thread() {
  static thread_local Typefaces typefaces;
  return typefaces;
}

std::unique_ptr<Typeface> Typefaces::open_ours(bool bold) const {
  const std::string_view file = typeface_file(bold);
  const Blob blob(hb_blob_create(file.data(), static_cast<unsigned>(file.size()),
                                 HB_MEMORY_MODE_READONLY, nullptr, nullptr),
                  &hb_blob_destroy);
  auto typeface = std::make_unique<Typeface>(library_->freetype, blob.get(), 0, bold);
  if (!typeface->draws('a')) fail(Fault::bug, "font: cannot read the embedded typeface");
  return typeface;
}

Typeface* Typefaces::drawing(std::span<const std::uint32_t> letters, bool bold) {
  if (draws_all(ours(bold), letters)) return &ours(bold);
  if (bold && draws_all(ours(false), letters)) return &ours(false);
  const auto [chosen, fresh] =
      chosen_.try_emplace({bold, {letters.begin(), letters.end()}}, nullptr);
  if (fresh) chosen->second = found(letters, bold);
  return chosen->second;
}

Typeface* Typefaces::found(std::span<const std::uint32_t> letters, bool bold) {
  Shelf& shelf = shelves_[bold];
  if (!shelf.filled) shelf.files = font_files(folders_, bold);
  shelf.filled = true;
  for (std::size_t i = 0;; ++i) {
    while (i == shelf.typefaces.size())
      if (!open_next(shelf, bold)) return nullptr;
    if (draws_all(*shelf.typefaces[i], letters)) return shelf.typefaces[i].get();
  }
}

bool Typefaces::open_next(Shelf& shelf, bool bold) const {
  if (shelf.opened == shelf.files.size()) return false;
  const std::string path = shelf.files[shelf.opened++].string();
  const Blob blob(hb_blob_create_from_file(path.c_str()), &hb_blob_destroy);
  const unsigned count = std::min(hb_face_count(blob.get()), kMaxInFile);
  for (unsigned i = 0; i < count; ++i)
    shelf.typefaces.push_back(std::make_unique<Typeface>(library_->freetype, blob.get(), i, bold));
  return true;
}

std::string_view typeface_file(bool bold) {
  return bold ? embedded::dejavu_sans_bold() : embedded::dejavu_sans();
}

}  // namespace regard
