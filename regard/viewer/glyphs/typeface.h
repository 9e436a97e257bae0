#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "regard/viewer/draw/pen.h"

struct FT_FaceRec_;
struct FT_LibraryRec_;
struct hb_blob_t;
struct hb_font_t;

namespace regard {

/// Receives one pixel of text and how much of it is covered, 0 .. 255.
using Cover = std::function<void(std::int64_t x, std::int64_t y, std::uint8_t coverage)>;

/// One step along the outline of a glyph, in thousandths of an em; y grows upwards.
struct OutlineStep {
  enum Kind { move, line, curve } kind;
  Point to, leaving = {}, arriving = {};  ///< a curve also has two control points
};

/// A typeface for one thread. What is wrong with its file shows as letters and glyphs that it
/// lacks.
class Typeface {
 public:
  /// One of those in a file. Of a variable one, the regular or the bold instance.
  Typeface(FT_LibraryRec_* library, hb_blob_t* file, unsigned index, bool bold);
  ~Typeface();
  Typeface(const Typeface&) = delete;
  Typeface& operator=(const Typeface&) = delete;

  std::uint32_t glyph_of(char32_t letter) const;  ///< 0: it lacks the letter
  /// Whether it has an outline for the letter, or the letter is a space and needs none.
  bool draws(char32_t letter);

  /// Rasterises a glyph. `pen` is in pixels.
  void cover(std::uint32_t glyph, const Pen& pen, const Cover& cover);
  std::vector<OutlineStep> outline(std::uint32_t glyph);

  hb_font_t* shaper() const { return shaper_.get(); }  ///< measures in its own units
  double units() const;                                ///< of an em

 private:
  struct Destroy {
    void operator()(hb_font_t* font) const;
    void operator()(FT_FaceRec_* face) const;
  };
  FT_FaceRec_* face();  // null: there is nothing to draw with
  bool load_outline(std::uint32_t glyph);

  FT_LibraryRec_* library_;
  unsigned index_;
  std::unique_ptr<hb_font_t, Destroy> shaper_;
  // Opened when a letter is found: most files are only asked whether they have one.
  bool opened_ = false;
  std::unique_ptr<FT_FaceRec_, Destroy> face_;
  std::unordered_map<char32_t, bool> draws_;
};

}  // namespace regard
