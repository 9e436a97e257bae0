#pragma once

#include <map>
#include <string>
#include <vector>

#include "regard/viewer/draw/pdf_document.h"
#include "regard/viewer/glyphs/set_line.h"

namespace regard {

/// Our typeface inside a PDF: the glyphs that a page uses, and no others, with what each of them
/// means, so that text can be searched and copied.
class PdfFont {
 public:
  explicit PdfFont(bool bold) : bold_(bold) {}

  bool used() const { return !letters_.empty(); }
  /// Whether the cluster is one letter and its glyph, set as the typeface would.
  bool draws(const SetCluster& cluster) const;
  /// How the page names the letters of a cluster: four hexadecimal digits each. Of one that the
  /// font does not draw they leave no ink, but share its width and mean what they are.
  std::string codes(const SetCluster& cluster);
  /// Adds the font and its parts to the document. -> the number of the font
  int add_to(PdfDocument& document) const;

 private:
  struct Letter {
    char32_t meaning = 0;
    std::uint32_t glyph = 0;
    double advance = 0;  // in ems

    auto operator<=>(const Letter&) const = default;
  };
  std::string code(const Letter& letter);
  std::string name() const;
  std::string meanings() const;  // a CMap from our numbers to Unicode

  bool bold_;
  std::map<Letter, int> numbers_;
  std::vector<Letter> letters_;  // number 1 on; 0 is the glyph for what is missing
};

}  // namespace regard
