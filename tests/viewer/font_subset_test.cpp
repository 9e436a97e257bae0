#include "regard/viewer/glyphs/font_subset.h"

#include <ft2build.h>
#include <gtest/gtest.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#include "regard/viewer/glyphs/typefaces.h"

namespace regard {
namespace {

/// A typeface opened by FreeType, which checks its tables.
struct Face {
  explicit Face(std::string_view bytes) : file(bytes) {
    EXPECT_EQ(FT_Init_FreeType(&library), 0);
    EXPECT_EQ(FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(file.data()),
                                 static_cast<FT_Long>(file.size()), 0, &face),
              0);
  }
  ~Face() { FT_Done_FreeType(library); }
  Face(const Face&) = delete;
  Face& operator=(const Face&) = delete;

  /// The points of a glyph and how far the pen goes on, in units of the typeface.
  std::vector<long> shape(std::uint32_t glyph) const {
    EXPECT_EQ(FT_Load_Glyph(face, glyph, FT_LOAD_NO_SCALE), 0);
    std::vector<long> numbers{face->glyph->metrics.horiAdvance};
    const FT_Outline& outline = face->glyph->outline;
    for (int i = 0; i < outline.n_points; ++i)
      numbers.insert(numbers.end(), {outline.points[i].x, outline.points[i].y, outline.tags[i]});
    return numbers;
  }

  std::string file;
  FT_Library library = nullptr;
  FT_Face face = nullptr;
};

TEST(FontSubset, HasTheSameGlyphsInTheOrderGiven) {
  for (const bool bold : {false, true}) {
    const Face whole(typeface_file(bold));
    std::vector<SubsetGlyph> glyphs(1);
    // Letters, letters composed of others, a space without outline, and one twice.
    for (const char32_t letter : std::u32string(U"aéÅǻ Łœ▁你кa"))
      glyphs.push_back({Typefaces::of_this_thread().ours(bold).glyph_of(letter)});
    const std::string bytes = font_subset(typeface_file(bold), glyphs);
    EXPECT_LT(bytes.size(), 40'000u);
    const Face subset(bytes);
    ASSERT_GE(subset.face->num_glyphs, static_cast<FT_Long>(glyphs.size()));
    for (std::size_t i = 0; i < glyphs.size(); ++i)
      EXPECT_EQ(subset.shape(static_cast<std::uint32_t>(i)), whole.shape(glyphs[i].number)) << i;
  }
}

TEST(FontSubset, AGlyphMayBeAsWideAsAsked) {
  const std::uint32_t a = Typefaces::of_this_thread().ours(false).glyph_of('a');
  const SubsetGlyph glyphs[] = {{0}, {a, 1.5}, {a}, {a, 100}};
  const Face whole(typeface_file(false)), subset(font_subset(typeface_file(false), glyphs));
  EXPECT_EQ(subset.shape(1)[0], 3072);  // of 2048 to the em
  EXPECT_EQ(subset.shape(2)[0], whole.shape(a)[0]);
  EXPECT_EQ(subset.shape(3)[0], 65535);
}

TEST(FontSubset, KnowsTheSizeOfLetters) {
  const FontMetrics metrics = font_metrics(typeface_file(false));
  EXPECT_GT(metrics.ascent, 700);
  EXPECT_LT(metrics.descent, -150);
  EXPECT_LT(metrics.left, 0);
  EXPECT_GT(metrics.top, metrics.ascent - 200);
}

}  // namespace
}  // namespace regard
