// What every figure promises: a title, even margins, and no name left out in silence.
#include <gtest/gtest.h>
#include <png.h>

#include <sstream>

#include "picture_law.h"
#include "regard/viewer/draw/axis_labels.h"
#include "regard/viewer/draw/png_canvas.h"
#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/heat_map.h"
#include "regard/viewer/line_plot.h"

namespace regard {
namespace {

std::vector<std::string> words(std::int64_t count) {
  std::vector<std::string> names;
  for (std::int64_t i = 0; i < count; ++i) names.push_back("w" + std::to_string(i));
  return names;
}

HeatMap long_map(std::int64_t tokens, int panels = 1) {
  HeatMap map{.title = "a title", .row_axis = "target", .col_axis = "source"};
  for (int i = 0; i < panels; ++i) {
    map.panels.push_back(random_panel(tokens, tokens, Rng(1)));
    map.panels.back().row_labels = map.panels.back().col_labels = words(tokens);
  }
  return map;
}

TEST(Figure, KeepsEveryNameOfALongSentence) {
  for (const std::int64_t tokens : {30, 80, 257}) {
    const std::string drawn = svg(long_map(tokens));
    for (const std::string& word : words(tokens))
      ASSERT_EQ(count(drawn, ">" + word + "</text>"), 2u) << word << " of " << tokens;
    EXPECT_EQ(drawn.find("named: "), std::string::npos);
    EXPECT_EQ(drawn.find("largest of"), std::string::npos);
  }
}

TEST(Figure, SaysWhichNamesAreLeftOut) {
  const std::string drawn = svg(long_map(100, 8));
  EXPECT_EQ(count(drawn, ">w1</text>"), 0u);
  EXPECT_GT(count(drawn, ">w0</text>"), 0u);
  EXPECT_NE(drawn.find("named: every "), std::string::npos);
  EXPECT_NE(drawn.find(" and every "), std::string::npos);
  // Numbers only need to be counted by.
  HeatMap numbers = long_map(100, 8);
  for (Panel& panel : numbers.panels) panel.row_labels.clear(), panel.col_labels.clear();
  EXPECT_EQ(svg(numbers).find("named: "), std::string::npos);
}

TEST(Figure, BreaksALongTitleIntoLines) {
  HeatMap map = long_map(4);
  map.title.clear();
  for (int i = 0; i < 25; ++i)
    map.title += (i ? " " : "") + std::string("seven") + std::to_string(i);
  map.subtitle = "layer 1";
  const std::string drawn = svg(map);
  for (int i = 0; i < 25; ++i)
    EXPECT_NE(drawn.find("seven" + std::to_string(i)), std::string::npos);
  const std::string body = drawn.substr(drawn.find("</desc>"));
  EXPECT_NE(body.find("seven24"), std::string::npos);
  EXPECT_EQ(body.find("…"), std::string::npos);
  EXPECT_NE(body.find(">layer 1</text>"), std::string::npos);
  for (int i = 0; i < 300; ++i) map.title += " more";
  EXPECT_NE(svg(map).find("more … more"), std::string::npos);  // no word is cut
  map.title = std::string(4000, 'x');                          // no space to break it at
  EXPECT_EQ(xml_fault(svg(map)), "");
}

double width_of(const std::string& drawn) {
  return std::stod(drawn.substr(drawn.find("width=\"") + 7));
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

/// What is drawn, without the title and the description for readers.
std::string body_of(const std::string& drawn) {
  return drawn.substr(drawn.find("</desc>"));
}

TEST(Figure, IsNoWiderForATitleThatCanBeBroken) {
  HeatMap map = long_map(6);
  const double plain = width_of(svg(map));
  map.title = "The black cat does not see the dog that sleeps on the mat";
  EXPECT_EQ(width_of(svg(map)), plain);
}

TEST(Figure, IsWiderForATitleThatWouldBeShortened) {
  HeatMap map = long_map(4);
  const double plain = width_of(svg(map));
  for (const std::string& title :
       {repeated("黒い猫は犬を見ない。", 4), repeated("我们在家里。", 7),
        repeated("Donaudampfschifffahrt", 3) + " " + repeated("Gesellschaft", 4) + " Wien",
        "a " + repeated("unbreakable", 6) + " title of four words"}) {
    map.title = title;
    const std::string drawn = svg(map);
    EXPECT_EQ(body_of(drawn).find("…"), std::string::npos) << title;
    EXPECT_GT(width_of(drawn), plain) << title;
    EXPECT_LE(width_of(drawn), 920) << title;
  }
  map.title = repeated("黒い猫は犬を見ない。", 100);
  map.subtitle = "第一層";
  const std::string drawn = svg(map);
  EXPECT_NE(body_of(drawn).find("…"), std::string::npos);
  EXPECT_NE(body_of(drawn).find("第一層"), std::string::npos);
  EXPECT_EQ(width_of(drawn), 920);
}

TEST(Figure, HasThreeLinesOfTitleAtMost) {
  HeatMap map = long_map(4);
  map.title = repeated("many words ", 300) + "end";
  const std::string body = body_of(svg(map));
  EXPECT_EQ(count(body, "font-weight=\"bold\">"), 3u);
  EXPECT_NE(body.find("words end</text>"), std::string::npos) << "shortened in the middle";
  const std::size_t gap = body.find("…");
  const std::string before = body.substr(gap - 6, 6), after = body.substr(gap + 3, 6);
  EXPECT_TRUE(before == "words " || before == " many ") << before;
  EXPECT_TRUE(after == " words" || after == " many ") << after;
}

TEST(Figure, ALongTextIsShortenedAsIfAllOfItWereMeasured) {
  for (const std::string& text : {repeated("many words ", 300), repeated("黒い猫は", 400),
                                  repeated("ii", 900), repeated("é😀", 500)})
    for (const double room : {0.0, 12.0, 80.0, 500.0})
      EXPECT_EQ(fit_text(text, room, 12),
                shortened(visible(text), room, "…",
                          [](std::string_view part) { return text_width(part, 12); }))
          << room;
}

struct Margins {
  double left, top, right, bottom;
};

/// How much of each side is white, in units of the figure.
Margins margins_of(const std::string& bytes) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()));
  image.format = PNG_FORMAT_GRAY;
  std::vector<std::uint8_t> pixels(PNG_IMAGE_SIZE(image));
  EXPECT_TRUE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr));
  const std::int64_t W = image.width, H = image.height;
  std::int64_t left = W, top = H, right = 0, bottom = 0;
  for (std::int64_t y = 0; y < H; ++y)
    for (std::int64_t x = 0; x < W; ++x)
      if (pixels[static_cast<std::size_t>(y * W + x)] < 250) {
        left = std::min(left, x), right = std::max(right, x);
        top = std::min(top, y), bottom = std::max(bottom, y);
      }
  const auto units = [](std::int64_t count) { return double(count) / PngCanvas::kScale; };
  return {units(left), units(top), units(W - 1 - right), units(H - 1 - bottom)};
}

TEST(Figure, HasEvenMargins) {
  std::vector<HeatMap> maps{long_map(6), long_map(40), long_map(100, 8), long_map(12, 3)};
  maps.push_back(long_map(6));
  maps.back().title.clear();
  maps.push_back(long_map(6));
  maps.back().col_axis.clear(), maps.back().row_axis.clear();
  maps.push_back({.panels = {random_panel(5, 5, Rng(1))}});
  maps.push_back({.title = "wide", .panels = {random_panel(2, 40, Rng(1), -1, true)}});
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const Margins m = margins_of(png(maps[i]));
    for (const double side : {m.left, m.top, m.right, m.bottom}) {
      EXPECT_GE(side, 14) << i << ": " << m.left << " " << m.top << " " << m.right << " "
                          << m.bottom;
      EXPECT_LE(side, 26) << i << ": " << m.left << " " << m.top << " " << m.right << " "
                          << m.bottom;
    }
  }
  const Margins m = margins_of(png(LinePlot{
      .title = "Loss", .x_axis = "step", .y_axis = "loss", .curves = {{"a", {0, 9}, {1, 2}}}}));
  for (const double side : {m.left, m.top, m.right, m.bottom}) {
    EXPECT_GE(side, 14) << m.left << " " << m.top << " " << m.right << " " << m.bottom;
    EXPECT_LE(side, 28) << m.left << " " << m.top << " " << m.right << " " << m.bottom;
  }
}

TEST(Csv, HoldsEveryCellWithItsNames) {
  HeatMap map{.title = "weights, all"};
  map.panels.push_back({"", 2, 2, {0.1, 1.0 / 3, kHidden, 1e-300}, {"a,b", "c\"d"}, {"x", "y\nz"}});
  EXPECT_EQ(csv(map),
            "panel,row,column,row_label,column_label,value\n"
            "\"weights, all\",0,0,\"a,b\",x,0.1\n"
            "\"weights, all\",0,1,\"a,b\",\"y\nz\",0.3333333333333333\n"
            "\"weights, all\",1,0,\"c\"\"d\",x,\n"
            "\"weights, all\",1,1,\"c\"\"d\",\"y\nz\",1e-300\n");
  const HeatMap large{.panels = {random_panel(300, 400, Rng(1))}};
  std::istringstream lines(csv(large));
  std::string line;
  std::getline(lines, line);
  for (const double value : large.panels[0].values) {
    ASSERT_TRUE(std::getline(lines, line));
    ASSERT_EQ(std::stod(line.substr(line.rfind(',') + 1)), value);  // every digit
  }
  EXPECT_FALSE(std::getline(lines, line));
}

}  // namespace
}  // namespace regard
