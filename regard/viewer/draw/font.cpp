#include "regard/viewer/draw/font.h"

#include <fmt/format.h>
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_ADVANCES_H

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "regard/base/check.h"
#include "regard/viewer/text.h"

namespace regard {

namespace embedded {
std::string_view dejavu_sans();
std::string_view dejavu_sans_bold();
}  // namespace embedded

namespace {

// FreeType's objects are not for two threads at once, so each thread has its own.
class Typeface {
 public:
  Typeface() {
    require(FT_Init_FreeType(&library_), "cannot start FreeType");
    open(embedded::dejavu_sans(), regular_);
    open(embedded::dejavu_sans_bold(), bold_);
  }
  ~Typeface() { FT_Done_FreeType(library_); }  // closes its faces too
  Typeface(const Typeface&) = delete;
  Typeface& operator=(const Typeface&) = delete;

  static Typeface& of_this_thread() {
    static thread_local Typeface typeface;
    return typeface;
  }

  FT_Face face(bool bold) const { return bold ? bold_ : regular_; }

  static void require(FT_Error error, const char* what) {
    const Fault fault = error == FT_Err_Out_Of_Memory ? Fault::device : Fault::bug;
    if (error != 0) fail(fault, "font: ", what, " (FreeType error ", error, ")");
  }

 private:
  void open(std::string_view data, FT_Face& face) {
    require(FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(data.data()),
                               static_cast<FT_Long>(data.size()), 0, &face),
            "cannot read the embedded typeface");
  }

  FT_Library library_ = nullptr;
  FT_Face regular_ = nullptr, bold_ = nullptr;
};

constexpr double kBoxWidth = 1.04, kDigitSize = 0.5;  // of a missing letter, in ems

bool takes_no_room(char32_t letter) {
  return letter == 0x200C || letter == 0x200D || (letter >= 0xFE00 && letter <= 0xFE0F) ||
         (letter >= 0xE0020 && letter <= 0xE007F);
}

double advance(FT_Face face, FT_UInt glyph) {  // in ems
  FT_Fixed units = 0;
  Typeface::require(FT_Get_Advance(face, glyph, FT_LOAD_NO_SCALE, &units), "cannot measure");
  return static_cast<double>(units) / face->units_per_EM;
}

// A pen that walks along a line of text in pixels, turned by the text's angle.
struct Pen {
  FT_Face face;
  double size, cosine, sine;  // size in pixels
  Point at;

  Point ahead(double along, double up) const {  // a place relative to the pen, in ems
    const double a = along * size, u = up * size;
    return {at.x + a * cosine - u * sine, at.y - a * sine - u * cosine};
  }
};

void cover_glyph(const Pen& pen, FT_UInt glyph, const Cover& cover) {
  const auto fixed = [](double x) { return static_cast<FT_Fixed>(std::lround(x * 65536)); };
  FT_Matrix turn{fixed(pen.cosine), fixed(-pen.sine), fixed(pen.sine), fixed(pen.cosine)};
  const double left = std::floor(pen.at.x), top = std::floor(pen.at.y);
  FT_Vector shift{std::lround((pen.at.x - left) * 64), std::lround((top - pen.at.y) * 64)};
  Typeface::require(FT_Set_Char_Size(pen.face, 0, std::lround(pen.size * 64), 72, 72), "bad size");
  FT_Set_Transform(pen.face, &turn, &shift);
  Typeface::require(FT_Load_Glyph(pen.face, glyph, FT_LOAD_NO_HINTING | FT_LOAD_RENDER),
                    "cannot draw a letter");
  const FT_GlyphSlot slot = pen.face->glyph;
  const FT_Bitmap& bitmap = slot->bitmap;
  for (unsigned row = 0; row < bitmap.rows; ++row)
    for (unsigned column = 0; column < bitmap.width; ++column)
      cover(static_cast<std::int64_t>(left) + slot->bitmap_left + column,
            static_cast<std::int64_t>(top) - slot->bitmap_top + row,
            bitmap.buffer[row * static_cast<unsigned>(bitmap.pitch) + column]);
}

}  // namespace

double text_width(std::string_view text, double size, bool bold) {
  double width = 0;
  for (const SetLetter& each : set_letters(text, bold)) width += each.advance;
  return width * size;
}

std::vector<SetLetter> set_letters(std::string_view text, bool bold) {
  const FT_Face face = Typeface::of_this_thread().face(bold);
  std::vector<SetLetter> letters;
  for (const char32_t letter : code_points(text)) {
    if (takes_no_room(letter)) continue;
    const FT_UInt glyph = FT_Get_Char_Index(face, letter);
    letters.push_back({letter, glyph, glyph == 0 ? kBoxWidth : advance(face, glyph)});
  }
  return letters;
}

std::uint32_t glyph_of(char32_t letter, bool bold) {
  return FT_Get_Char_Index(Typeface::of_this_thread().face(bold), letter);
}

std::vector<BoxSign> missing_box(char32_t letter) {
  const std::string digits = fmt::format("{:04X}", static_cast<std::uint32_t>(letter));
  const std::size_t upper = digits.size() / 2;
  std::vector<BoxSign> signs;
  const auto row = [&](std::string_view part, double up) {
    const double step = std::min(0.64, (kBoxWidth - 0.3) / kDigitSize / double(part.size()));
    const double room = kBoxWidth - step * kDigitSize * double(part.size());
    for (std::size_t i = 0; i < part.size(); ++i)
      signs.push_back({part[i], room / 2 + double(i) * step * kDigitSize, up, kDigitSize});
  };
  row(std::string_view(digits).substr(0, upper), 0.42);
  row(std::string_view(digits).substr(upper), -0.02);
  for (const double along : {-0.09, kBoxWidth - 0.25}) signs.push_back({'|', along, 0, 1});
  return signs;
}

std::string_view typeface_file(bool bold) {
  return bold ? embedded::dejavu_sans_bold() : embedded::dejavu_sans();
}

double anchor_shift(Anchor anchor, double width) {
  return anchor == Anchor::end ? width : anchor == Anchor::middle ? width / 2 : 0;
}

void cover_text(Point at, std::string_view text, const TextStyle& style, double scale,
                const Cover& cover) {
  const double angle = style.angle * std::numbers::pi / 180;
  Pen pen{.face = Typeface::of_this_thread().face(style.bold),
          .size = style.size * scale,
          .cosine = std::cos(angle),
          .sine = std::sin(angle),
          .at = {at.x * scale, at.y * scale}};
  pen.at = pen.ahead(-anchor_shift(style.anchor, text_width(text, 1, style.bold)), 0);
  for (const SetLetter& each : set_letters(text, style.bold)) {
    if (each.glyph != 0)
      cover_glyph(pen, each.glyph, cover);
    else
      for (const BoxSign& sign : missing_box(each.letter)) {
        Pen small = pen;
        small.at = pen.ahead(sign.along, sign.up);
        small.size *= sign.size;
        cover_glyph(small, glyph_of(static_cast<char32_t>(sign.sign), style.bold), cover);
      }
    pen.at = pen.ahead(each.advance, 0);
  }
}

}  // namespace regard
