#include <gtest/gtest.h>

#include <algorithm>

#include "picture_law.h"
#include "regard/viewer/draw/pdf_canvas.h"
#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/heat_map.h"
#include "regard/viewer/heat_map_cells.h"
#include "regard/viewer/heat_map_figure.h"
#include "regard/viewer/line_plot.h"
#include "tests/viewer/pdf_reader.h"
#include "tests/viewer/planted_font.h"

namespace regard {
namespace {

std::string utf16(const std::string& text) {
  std::string digits;
  for (const char32_t letter : code_points(text)) digits += utf16_hex(letter);
  return digits;
}

bool shows(const PdfReader& pdf, const std::string& text) {
  return std::ranges::count(pdf.texts(), utf16(text)) > 0;
}

HeatMap small_map() {
  HeatMap map{.title = "Où est le chat ?",
              .subtitle = "cross-attention, layer 2, head 1",
              .panels = {random_panel(2, 3, Rng(1))},
              .row_axis = "target",
              .col_axis = "source"};
  map.panels[0].row_labels = {"où", "œuf"};
  map.panels[0].col_labels = {"Łódź", "Ελλάς", "▁кот"};
  return map;
}

TEST(Pdf, HoldsEveryTextWithItsAccents) {
  const HeatMap map = small_map();
  const PdfReader file(pdf(map));
  for (const std::string text : {"Où est le chat ?", "cross-attention, layer 2, head 1", "où",
                                 "œuf", "Łódź", "Ελλάς", "▁кот", "target", "source"})
    EXPECT_TRUE(shows(file, text)) << text;
  EXPECT_NE(file.object_with("/Creator").find("/Title <FEFF" + utf16(map.title)),
            std::string::npos);
}

TEST(Pdf, IsAsLargeAsTheFigure) {
  const HeatMap map = small_map();
  const HeatMapFigure figure(map, 1000);
  const std::string box = "/MediaBox [0 0 " + pdf_number(0.75 * figure.width()) + " " +
                          pdf_number(0.75 * figure.height()) + "]";
  EXPECT_NE(PdfReader(pdf(map)).page().find(box), std::string::npos) << box;
}

TEST(Pdf, PaintsEveryCellInItsColour) {
  HeatMap map{.panels = {{"", 2, 3, {1, 1, 0.5, kHidden, 0.25, 0.25}}}, .show_values = false};
  const HeatMapFigure figure(map, 1000);
  const Box box = figure.box_of(0);
  const std::string content = PdfReader(pdf(map)).content();
  const auto painted = [&](double value, double x, double y, double width, double height) {
    const Colour c = figure.scale().at(value);
    const std::string step = pdf_number(c.red / 255.0) + " " + pdf_number(c.green / 255.0) + " " +
                             pdf_number(c.blue / 255.0) + " rg\n" +
                             pdf_number(box.x + x * figure.cell()) + " " +
                             pdf_number(box.y + y * figure.cell()) + " " + pdf_number(width) + " " +
                             pdf_number(height) + " re\nf\n";
    EXPECT_NE(content.find(step), std::string::npos) << step << content;
  };
  const double cell = figure.cell();
  painted(1, 0, 0, 2 * cell + 0.3, cell);  // a hidden cell below: not under it
  painted(0.5, 2, 0, cell, cell + 0.3);
  painted(0.25, 1, 1, 2 * cell, cell);
}

TEST(Pdf, KeepsLettersThatTheTypefaceLacks) {
  HeatMap map = small_map();
  map.panels[0].row_labels = {"a你b", "\U0001F600\U0010FFFD"};
  const PdfReader file(pdf(map));
  EXPECT_TRUE(shows(file, "a你b"));
  EXPECT_TRUE(shows(file, "\U0001F600\U0010FFFD"));
  const std::string content = file.content();
  EXPECT_EQ(count(content, "q\n") + count(content, "q "), count(content, "Q\n"));
  EXPECT_EQ(count(content, "BT "), count(content, " ET\n"));
}

TEST(Pdf, HoldsTextFromRightToLeftAsItStands) {
  HeatMap map = small_map();
  map.panels[0].row_labels = {"שלום 12", "سلام"};
  const PdfReader file(pdf(map));
  EXPECT_TRUE(shows(file, "12 םולש"));
  EXPECT_TRUE(shows(file, "مالس"));  // a ligature too: readers turn all letters round
}

std::string drawn(const std::string& text) {
  PdfCanvas canvas({.width = 100, .height = 100});
  canvas.text({10, 50}, text, {.size = 10});
  return PdfReader(canvas.document()).content();
}

TEST(Pdf, DrawsGlyphsOfOtherFontsAsAreas) {
  EXPECT_EQ(drawn("ab").find(" cm\n", 40), std::string::npos);
  with_planted_font([] {
    const std::string content = drawn("ab\U0010FF00");
    const double along = 10 + text_width("ab", 10);
    const std::string place =
        "q 0.0100000 -0.0000000 -0.0000000 -0.0100000 " + pdf_number(along) + " 50 cm\n";
    EXPECT_NE(content.find(place), std::string::npos) << content;
    EXPECT_NE(content.find(" c\n"), std::string::npos);
    EXPECT_NE(content.find("f\nQ\n"), std::string::npos);
    PdfCanvas canvas({.width = 100, .height = 100});
    canvas.text({10, 50}, "ab\U0010FF00", {.size = 10});
    EXPECT_TRUE(shows(PdfReader(canvas.document()), "ab\U0010FF00"));
  });
}

TEST(Pdf, SameMapSameBytesAndAnyBytesAreText) {
  HeatMap map = small_map();
  EXPECT_EQ(pdf(map), pdf(map));
  for (std::uint64_t draw = 0; draw < 30; ++draw) {
    for (std::string& label : map.panels[0].col_labels) {
      label.clear();
      for (std::uint64_t i = 0; i < 12; ++i)
        label += static_cast<char>(Rng(draw).fork(label.size()).below(i, 256));
    }
    map.title = map.panels[0].col_labels[0] + " ) endobj";
    PdfReader(pdf(map)).texts();
  }
}

TEST(Pdf, DrawsLinesAndWhatHasNothingToDraw) {
  const LinePlot plot{.title = "Perte",
                      .x_axis = "step",
                      .curves = {{"été", {0, 1, 2}, {0, 1, 0.5}}, {"dots", {0, 1}, {1, 0}, true}}};
  const PdfReader file(pdf(plot));
  EXPECT_TRUE(shows(file, "été"));
  EXPECT_TRUE(shows(file, "Perte"));
  EXPECT_NE(file.content().find(" c f\n"), std::string::npos);  // a disc
  for (const HeatMap& map : {HeatMap{}, HeatMap{.panels = {{"none", 0, 0, {}, {}, {}}}}})
    PdfReader(pdf(map)).content();
  EXPECT_FALSE(PdfReader(pdf(LinePlot{})).content().empty());
}

}  // namespace
}  // namespace regard
