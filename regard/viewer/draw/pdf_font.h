#pragma once

#include <map>
#include <string>
#include <vector>

#include "regard/viewer/draw/font.h"
#include "regard/viewer/draw/pdf_document.h"

namespace regard {

/// Our typeface inside a PDF: the letters that a page uses, and no others, with what each of them
/// means, so that text can be searched and copied.
class PdfFont {
 public:
  explicit PdfFont(bool bold) : bold_(bold) {}

  bool used() const { return !numbers_.empty(); }
  /// How the page names a letter: four hexadecimal digits. REQUIRES the typeface has it.
  std::string code(const SetLetter& letter);
  /// Adds the font and its parts to the document. -> the number of the font
  int add_to(PdfDocument& document) const;

 private:
  std::string name() const;
  std::string meanings() const;  // a CMap from our numbers to Unicode

  bool bold_;
  std::map<char32_t, int> numbers_;  // by letter, since two letters may share a glyph
  std::vector<SetLetter> letters_;   // number 1 on; 0 is the glyph for what is missing
};

}  // namespace regard
