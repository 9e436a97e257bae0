#include "regard/viewer/draw/pdf_font.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "regard/viewer/glyphs/font_subset.h"

namespace regard {

bool PdfFont::draws(const SetCluster& cluster) const {
  if (cluster.text.size() != 1 || cluster.glyphs.size() != 1) return false;
  const SetGlyph& glyph = cluster.glyphs.front();
  return glyph.typeface == &Typefaces::of_this_thread().ours(bold_) &&
         glyph.along == cluster.along && glyph.up == 0 && glyph.size == 1;
}

std::string PdfFont::codes(const SetCluster& cluster) {
  if (draws(cluster))
    return code({cluster.text.front(), cluster.glyphs.front().number, cluster.advance});
  const std::uint32_t blank = Typefaces::of_this_thread().ours(bold_).glyph_of(' ');
  const double share = cluster.advance / static_cast<double>(cluster.text.size());
  // Readers find letters by where they stand, and then turn round what runs to the left.
  std::u32string standing = cluster.text;
  if (cluster.leftward) std::ranges::reverse(standing);
  std::string codes;
  for (const char32_t letter : standing) codes += code({letter, blank, share});
  return codes;
}

std::string PdfFont::code(const Letter& letter) {
  const auto [found, fresh] = numbers_.try_emplace(letter, static_cast<int>(letters_.size()) + 1);
  if (fresh) letters_.push_back(letter);
  return fmt::format("{:04X}", found->second);
}

/// Six letters before the name tell subsets of one typeface apart when pages are joined.
std::string PdfFont::name() const {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (const Letter& each : letters_) hash = (hash ^ each.glyph) * 16777619u;
  std::string tag;
  for (int i = 0; i < 6; ++i, hash /= 26) tag += static_cast<char>('A' + hash % 26);
  return tag + (bold_ ? "+DejaVuSans-Bold" : "+DejaVuSans");
}

std::string PdfFont::meanings() const {
  constexpr std::size_t kMaxAtOnce = 100;  // entries of one block
  std::string map =
      "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n"
      "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n"
      "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n";
  for (std::size_t first = 0; first < letters_.size(); first += kMaxAtOnce) {
    const std::size_t end = std::min(letters_.size(), first + kMaxAtOnce);
    fmt::format_to(std::back_inserter(map), "{} beginbfchar\n", end - first);
    for (std::size_t i = first; i < end; ++i)
      fmt::format_to(std::back_inserter(map), "<{:04X}> <{}>\n", i + 1,
                     utf16_hex(letters_[i].meaning));
    map += "endbfchar\n";
  }
  return map + "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
}

int PdfFont::add_to(PdfDocument& document) const {
  const std::string_view file = typeface_file(bold_);
  const std::string name = this->name();
  std::vector<SubsetGlyph> glyphs(1);
  std::string widths = "600";
  for (const Letter& each : letters_) {
    glyphs.push_back({each.glyph, each.advance});
    widths.append(" ").append(pdf_number(each.advance * 1000));
  }
  const std::string subset = font_subset(file, glyphs);
  const int data = document.add_stream(subset, fmt::format("/Length1 {}", subset.size()));
  const FontMetrics m = font_metrics(file);
  const int descriptor = document.add(fmt::format(
      "<< /Type /FontDescriptor /FontName /{} /Flags 4 /FontBBox [{} {} {} {}] /ItalicAngle 0 "
      "/Ascent {} /Descent {} /CapHeight 729 /StemV {} /FontFile2 {} >>",
      name, m.left, m.bottom, m.right, m.top, m.ascent, m.descent, bold_ ? 140 : 80,
      PdfDocument::reference(data)));
  const int glyph_font = document.add(fmt::format(
      "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /{} /CIDSystemInfo << /Registry (Adobe) "
      "/Ordering (Identity) /Supplement 0 >> /FontDescriptor {} /W [0 [{}]] "
      "/CIDToGIDMap /Identity >>",
      name, PdfDocument::reference(descriptor), widths));
  return document.add(fmt::format(
      "<< /Type /Font /Subtype /Type0 /BaseFont /{} /Encoding /Identity-H /DescendantFonts [{}] "
      "/ToUnicode {} >>",
      name, PdfDocument::reference(glyph_font),
      PdfDocument::reference(document.add_stream(meanings()))));
}

}  // namespace regard
