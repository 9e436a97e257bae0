#include "regard/viewer/look_sheet.h"

#include <gtest/gtest.h>

#include "picture_law.h"
#include "regard/base/check.h"
#include "regard/image/png_reader.h"

namespace regard {
namespace {

/// A red picture; "left" looks at the first patch alone, "all" everywhere.
LookSheet red_sheet() {
  LookSheet sheet{.title = "a title", .subtitle = "layer 2", .picture = {4, 4}, .across = 2};
  for (int i = 0; i < 16; ++i) sheet.picture.pixels.insert(sheet.picture.pixels.end(), {255, 0, 0});
  sheet.looks = {{"left", {1, 0, 0, 0}}, {"all", {0.25, 0.25, 0.25, 0.25}}};
  return sheet;
}

Index red_pixels(const Image& image) {
  Index count = 0;
  for (std::size_t i = 0; i < image.pixels.size(); i += 3)
    count += image.pixels[i] == 255 && image.pixels[i + 1] == 0 && image.pixels[i + 2] == 0;
  return count;
}

TEST(LookSheet, IsClearWhereTheModelLooked) {
  LookSheet sheet = red_sheet();
  sheet.looks.clear();
  const Index whole = red_pixels(parse_png(png(sheet), "sheet"));
  ASSERT_GT(whole, 0);
  // The picture itself, a quarter of it, all of it.
  EXPECT_NEAR(static_cast<double>(red_pixels(parse_png(png(red_sheet()), "sheet"))),
              2.25 * static_cast<double>(whole), 0.02 * static_cast<double>(whole));
}

TEST(LookSheet, IsAWholeDocumentInEveryForm) {
  const LookSheet sheet = red_sheet();
  const std::string drawn = svg(sheet);
  EXPECT_EQ(xml_fault(drawn), "");
  EXPECT_EQ(count(drawn, "<image "), 3u);
  EXPECT_EQ(count(drawn, ">left</text>"), 1u);
  EXPECT_NE(drawn.find("<title>left: 1</title>"), std::string::npos);
  EXPECT_EQ(drawn, svg(red_sheet()));
  const std::string document = pdf(sheet);
  EXPECT_TRUE(document.starts_with("%PDF-"));
  EXPECT_EQ(count(document, "/Subtype /Image"), 3u);
}

TEST(LookSheet, SurvivesAnyBytes) {
  LookSheet sheet = red_sheet();
  sheet.title = sheet.looks[0].word = "<b>\x1b[31m\xff&";
  EXPECT_EQ(xml_fault(svg(sheet)), "");
  EXPECT_NO_THROW(png(sheet));
}

TEST(LookSheet, HasItsWeightsAsMaps) {
  const HeatMap map = heat_map_of(red_sheet());
  ASSERT_EQ(map.panels.size(), 2u);
  EXPECT_EQ(map.panels[0].title, "left");
  EXPECT_EQ(map.panels[0].values, (std::vector<double>{1, 0, 0, 0}));
}

TEST(LookSheet, RefusesWeightsThatDoNotFit) {
  LookSheet few = red_sheet(), wide = red_sheet();
  few.looks[0].weights.pop_back();
  wide.picture.width = 8;
  for (const LookSheet& sheet : {few, wide}) EXPECT_THROW(svg(sheet), Error);
}

}  // namespace
}  // namespace regard
