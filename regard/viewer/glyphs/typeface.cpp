#include "regard/viewer/glyphs/typeface.h"

#include <ft2build.h>
#include <hb-ot.h>
#include <hb.h>
#include FT_FREETYPE_H
#include FT_MULTIPLE_MASTERS_H
#include FT_OUTLINE_H
#include <utf8proc.h>

#include <cmath>

namespace regard {
namespace {

/// Sets a variable typeface to the weight; others have nothing to set.
void set_weight(hb_font_t* font, bool bold) {
  const hb_variation_t weight{HB_TAG('w', 'g', 'h', 't'), bold ? 700.0f : 400.0f};
  hb_font_set_variations(font, &weight, 1);
}

/// Draws the same instance of a variable typeface as the shaper measures.
void set_instance(FT_Face face, hb_font_t* font) {
  unsigned count = 0;
  const int* coordinates = hb_font_get_var_coords_normalized(font, &count);
  std::vector<FT_Fixed> fixed;  // 16.16, from 2.14
  for (unsigned i = 0; i < count; ++i) fixed.push_back(FT_Fixed{coordinates[i]} * 4);
  if (count > 0) FT_Set_Var_Blend_Coordinates(face, count, fixed.data());
}

/// Takes the steps that FreeType finds along an outline.
class Walk {
 public:
  Walk(double units, std::vector<OutlineStep>& steps) : scale_(1000 / units), steps_(steps) {}

  static int move(const FT_Vector* to, void* walk) {
    return of(walk).step({OutlineStep::move, of(walk).at(to)});
  }
  static int line(const FT_Vector* to, void* walk) {
    return of(walk).step({OutlineStep::line, of(walk).at(to)});
  }
  static int conic(const FT_Vector* middle, const FT_Vector* to, void* walk) {
    // The same curve with two control points.
    const Point from = of(walk).here_, m = of(walk).at(middle), end = of(walk).at(to);
    const auto towards = [&](Point p) {
      return Point{p.x + (m.x - p.x) * 2 / 3, p.y + (m.y - p.y) * 2 / 3};
    };
    return of(walk).step({OutlineStep::curve, end, towards(from), towards(end)});
  }
  static int cubic(const FT_Vector* a, const FT_Vector* b, const FT_Vector* to, void* walk) {
    return of(walk).step({OutlineStep::curve, of(walk).at(to), of(walk).at(a), of(walk).at(b)});
  }

 private:
  static Walk& of(void* walk) { return *static_cast<Walk*>(walk); }
  Point at(const FT_Vector* p) const {
    return {static_cast<double>(p->x) * scale_, static_cast<double>(p->y) * scale_};
  }
  int step(const OutlineStep& step) {
    here_ = step.to;
    steps_.push_back(step);
    return 0;
  }

  double scale_;
  Point here_;
  std::vector<OutlineStep>& steps_;
};

}  // namespace

void Typeface::Destroy::operator()(hb_font_t* font) const {
  hb_font_destroy(font);
}

void Typeface::Destroy::operator()(FT_FaceRec_* face) const {
  FT_Done_Face(face);
}

Typeface::Typeface(FT_LibraryRec_* library, hb_blob_t* file, unsigned index, bool bold)
    : library_(library), index_(index) {
  hb_face_t* face = hb_face_create(file, index);
  shaper_.reset(hb_font_create(face));
  hb_face_destroy(face);  // the font keeps it
  set_weight(shaper_.get(), bold);
}

Typeface::~Typeface() = default;

double Typeface::units() const {
  return hb_face_get_upem(hb_font_get_face(shaper_.get()));
}

FT_FaceRec_* Typeface::face() {
  if (opened_) return face_.get();
  opened_ = true;
  hb_blob_t* file = hb_face_reference_blob(hb_font_get_face(shaper_.get()));
  unsigned size = 0;
  const char* data = hb_blob_get_data(file, &size);
  FT_Face face = nullptr;
  if (FT_New_Memory_Face(library_, reinterpret_cast<const FT_Byte*>(data), size, index_, &face) ==
      0)
    face_.reset(face);
  hb_blob_destroy(file);  // the shaper keeps it
  // Of a coloured one (emoji) there is no outline, or only an empty one.
  if (face_ && (!FT_IS_SCALABLE(face) || FT_HAS_COLOR(face))) face_.reset();
  if (face_) set_instance(face, shaper_.get());
  return face_.get();
}

std::uint32_t Typeface::glyph_of(char32_t letter) const {
  hb_codepoint_t glyph = 0;
  hb_font_get_nominal_glyph(shaper_.get(), letter, &glyph);
  return glyph;
}

bool Typeface::load_outline(std::uint32_t glyph) {
  constexpr auto kFlags = FT_LOAD_NO_SCALE | FT_LOAD_IGNORE_TRANSFORM;
  return face() != nullptr && FT_Load_Glyph(face_.get(), glyph, kFlags) == 0 &&
         face_->glyph->format == FT_GLYPH_FORMAT_OUTLINE;
}

bool Typeface::draws(char32_t letter) {
  const auto [found, fresh] = draws_.try_emplace(letter, false);
  const std::uint32_t glyph = fresh ? glyph_of(letter) : 0;
  if (glyph != 0 && load_outline(glyph)) {
    const bool is_space =
        utf8proc_category(static_cast<utf8proc_int32_t>(letter)) == UTF8PROC_CATEGORY_ZS;
    found->second = is_space || face_->glyph->outline.n_contours > 0;
  }
  return found->second;
}

void Typeface::cover(std::uint32_t glyph, const Pen& pen, const Cover& cover) {
  if (face() == nullptr) return;
  const auto fixed = [](double x) { return static_cast<FT_Fixed>(std::lround(x * 65536)); };
  FT_Matrix turn{fixed(pen.cosine), fixed(-pen.sine), fixed(pen.sine), fixed(pen.cosine)};
  const double left = std::floor(pen.at.x), top = std::floor(pen.at.y);
  FT_Vector shift{std::lround((pen.at.x - left) * 64), std::lround((top - pen.at.y) * 64)};
  FT_Set_Transform(face_.get(), &turn, &shift);
  constexpr auto kFlags = FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP | FT_LOAD_RENDER;
  if (FT_Set_Char_Size(face_.get(), 0, std::lround(pen.size * 64), 72, 72) != 0 ||
      FT_Load_Glyph(face_.get(), glyph, kFlags) != 0)
    return;  // a damaged glyph; the rest of the text can still be read
  const FT_GlyphSlot slot = face_->glyph;
  const FT_Bitmap& bitmap = slot->bitmap;
  for (unsigned row = 0; row < bitmap.rows; ++row)
    for (unsigned column = 0; column < bitmap.width; ++column)
      cover(static_cast<std::int64_t>(left) + slot->bitmap_left + column,
            static_cast<std::int64_t>(top) - slot->bitmap_top + row,
            bitmap.buffer[row * static_cast<unsigned>(bitmap.pitch) + column]);
}

std::vector<OutlineStep> Typeface::outline(std::uint32_t glyph) {
  std::vector<OutlineStep> steps;
  if (!load_outline(glyph)) return steps;
  FT_Outline_Funcs funcs{};
  funcs.move_to = Walk::move;
  funcs.line_to = Walk::line;
  funcs.conic_to = Walk::conic;
  funcs.cubic_to = Walk::cubic;
  Walk walk(units(), steps);
  FT_Outline_Decompose(&face_->glyph->outline, &funcs, &walk);
  return steps;
}

}  // namespace regard
