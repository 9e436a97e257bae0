#include "regard/viewer/heat_map.h"

#include <gtest/gtest.h>

#include <locale>

#include "picture_law.h"
#include "regard/base/check.h"
#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/heat_map_cells.h"
#include "regard/viewer/heat_map_figure.h"

namespace regard {
namespace {

const std::vector<std::string> kTokens{"the", "black", "cat", "sleeps", "."};

// The weights of five tokens without projections, softmax(X X' / 2).
HeatMap five_tokens() {
  const std::vector<double> weights{.2976, .1095, .1805, .1805, .2318, .1205, .3275, .1986, .1986,
                                    .1547, .1805, .1805, .2976, .1095, .2318, .1986, .1986, .1205,
                                    .3275, .1547, .2374, .1440, .2374, .1440, .2374};
  return {.title = "Self-attention weights",
          .panels = {{"", 5, 5, weights, kTokens, kTokens}},
          .row_axis = "query",
          .col_axis = "key"};
}

TEST(HeatMapSvg, HoldsEveryLabelTwiceAndEveryValue) {
  const std::string document = svg(five_tokens());
  EXPECT_EQ(xml_fault(document), "");
  for (const std::string& token : kTokens)
    EXPECT_EQ(count(document, ">" + token + "</text>"), 2u) << token;
  for (const char* value : {"0.298", "0.328", "0.144"})
    EXPECT_NE(document.find(value), std::string::npos);
  for (const char* axis :
       {">query</text>", ">key</text>", "role=\"img\"", "aria-label=\"Self-attention weights\""})
    EXPECT_NE(document.find(axis), std::string::npos) << axis;
  EXPECT_EQ(count(document, "<title>"), 26u);  // the document's and one a cell
  EXPECT_NE(document.find("<title>black → cat: 0.1986</title>"), std::string::npos);
}

TEST(HeatMapSvg, PaintsRunsOfCellsInTheColoursOfTheirValues) {
  const HeatMap map{.panels = {{"", 2, 3, {1, 1, 0.5, kHidden, 0.25, 0.25}}}};
  const std::string document = svg(map);
  const auto painted = [&](double value, const std::string& run) {
    const std::string path = "fill=\"" + hex(scale_of(map).at(value)) + "\" d=\"" + run + "\"";
    EXPECT_NE(document.find(path), std::string::npos) << path;
  };
  painted(1, "M0 0h2v1h-2z");
  painted(0.5, "M2 0h1v1h-1z");
  painted(0.25, "M1 1h2v1h-2z");
}

TEST(HeatMapSvg, EscapesAnyLabel) {
  HeatMap map = five_tokens();
  map.panels[0].row_labels = {"<s>", "a&b", "\"q\"", "]]>", "\n"};
  map.title = "<script>alert(1)</script>";
  const std::string document = svg(map);
  EXPECT_EQ(xml_fault(document), "");
  EXPECT_EQ(document.find("<script"), std::string::npos);
  for (const char* label :
       {"&lt;s&gt;</text>", "a&amp;b</text>", "&quot;q&quot;</text>", "]]&gt;</text>", "↵</text>"})
    EXPECT_NE(document.find(label), std::string::npos) << label;
  for (std::uint64_t draw = 0; draw < 50; ++draw) {
    for (std::string& label : map.panels[0].col_labels) {
      label.clear();
      for (std::uint64_t i = 0; i < 12; ++i)
        label += static_cast<char>(Rng(draw).fork(label.size()).below(i, 256));
    }
    ASSERT_EQ(xml_fault(svg(map)), "");
  }
}

TEST(HeatMapSvg, StaysSmallForLargeMaps) {
  const HeatMap map{.title = "long", .panels = {random_panel(512, 512, Rng(1))}};
  const std::string document = svg(map);
  EXPECT_LT(document.size(), 1'100'000u);
  EXPECT_NE(document.find("one cell = the largest of"), std::string::npos);
  EXPECT_EQ(svg(five_tokens()).find("largest of"), std::string::npos);
}

TEST(HeatMap, SameMapSameBytesInEveryLocale) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  HeatMap map = five_tokens();
  map.panels[0].values[3] = 12345.5;
  const Terminal terminal_kind{TerminalColour::full, 80, true};
  const std::string as_svg = svg(map), as_png = png(map), as_text = terminal(map, terminal_kind);
  const std::locale before = std::locale::global(std::locale(std::locale(), new Comma));
  EXPECT_EQ(svg(map), as_svg);
  EXPECT_EQ(png(map), as_png);
  EXPECT_EQ(terminal(map, terminal_kind), as_text);
  std::locale::global(before);
}

TEST(HeatMap, DrawsWhatHasNothingToDraw) {
  std::vector<HeatMap> maps(7);
  maps[1].panels = {{"empty", 0, 0, {}, {}, {}}};
  maps[2].panels = {{"no rows", 0, 3, {}, {}, {"a", "b", "c"}}};
  maps[3].panels = {{"hidden", 1, 2, {kHidden, kHidden}, {}, {}}};
  maps[4].panels = {{"one", 1, 1, {0.0}, {}, {}}};
  maps[5].panels = {{"wild", 1, 4, {HUGE_VAL, -HUGE_VAL, 1e308, 5e-324}, {}, {}}};
  maps[6].panels = {{"small", 1, 2, {5e-324, 1e-310}, {}, {}}};
  for (const HeatMap& map : maps) {
    EXPECT_EQ(xml_fault(svg(map)), "");
    EXPECT_EQ(png(map).substr(1, 3), "PNG");
    for (const Terminal& kind : every_terminal(40)) expect_fits(terminal(map, kind), kind);
  }
}

TEST(HeatMap, RefusesWhatDoesNotFit) {
  const auto refuses = [](const HeatMap& map) {
    EXPECT_THROW(svg(map), Error);
    EXPECT_THROW(png(map), Error);
    EXPECT_THROW(terminal(map, Terminal{}), Error);
  };
  HeatMap map = five_tokens();
  map.panels[0].values.pop_back();
  refuses(map);
  map = five_tokens();
  map.panels[0].col_labels.pop_back();
  refuses(map);
  map = five_tokens();
  map.range = {1, 0};
  refuses(map);
}

TEST(Scale, FollowsTheValues) {
  HeatMap map = five_tokens();
  EXPECT_EQ(scale_of(map).low(), 0);
  EXPECT_EQ(scale_of(map).high(), 0.3275);
  map.panels.push_back({"", 1, 2, {-3, 2}, {}, {}});
  EXPECT_EQ(scale_of(map).low(), -3);
  EXPECT_EQ(scale_of(map).high(), 3);
  map.range = {0, 1};
  EXPECT_EQ(scale_of(map).high(), 1);
}

TEST(HeatMapFigure, GivesEachColumnAndRowOfPanelsItsOwnRoom) {
  HeatMap map{.panels = {random_panel(2, 3, Rng(1)), random_panel(2, 8, Rng(2)),
                         random_panel(6, 3, Rng(3)), random_panel(5, 7, Rng(4))},
              .panels_across = 2};
  const HeatMapFigure figure(map, 40'000);
  const auto beside = [](const Box& a, const Box& b) { return b.x - (a.x + a.width); };
  EXPECT_GT(beside(figure.box_of(0), figure.box_of(1)), 0);
  EXPECT_LT(beside(figure.box_of(0), figure.box_of(1)), figure.cell());
  const Box upper = figure.box_of(1), lower = figure.box_of(3);
  EXPECT_GT(lower.y - (upper.y + upper.height), 0);
  EXPECT_LT(lower.y - (upper.y + upper.height), figure.cell());
  EXPECT_LE(figure.box_of(2).y + figure.box_of(2).height, figure.height());
}

TEST(HeatMapFigure, KeepsTheRowsNameOffTheTitle) {
  HeatMap map{.title = "a title", .panels = {random_panel(3, 100, Rng(1))}};
  const Box without = HeatMapFigure(map, 40'000).box_of(0);
  map.row_axis = "a rather long name";
  const HeatMapFigure figure(map, 40'000);
  const Box box = figure.box_of(0);
  const double half = text_width(map.row_axis, 12) / 2, middle = box.y + box.height / 2;
  EXPECT_GE(middle - half, without.y - 1);
  EXPECT_LE(middle + half, figure.height());
}

TEST(HeatMapSvg, TurnsTheNamesOfAllPanelsOrNone) {
  const auto named = [](const std::string& name) {
    Panel panel = random_panel(2, 2, Rng(1));
    panel.col_labels = {"a", name};
    return panel;
  };
  const HeatMap level{.panels = {named("b"), named("c")}};
  const HeatMap turned{.panels = {named("b"), named("an uncommonly long name")}};
  EXPECT_EQ(count(svg(level), "rotate("), 0u);
  EXPECT_EQ(count(svg(turned), "rotate("), 4u);
}

TEST(Pooled, KeepsTheLargestOfEachSquare) {
  const Panel panel = random_panel(7, 10, Rng(5), -1, true);
  const Panel coarse = pooled(panel, 3);
  ASSERT_EQ(coarse.rows, 3);
  ASSERT_EQ(coarse.cols, 4);
  for (std::int64_t square = 0; square < 12; ++square) {
    double largest = NAN;  // with its sign
    for (std::int64_t row = 0; row < 7; ++row)
      for (std::int64_t col = 0; col < 10; ++col) {
        const double value = panel.values[row * 10 + col];
        if (row / 3 * 4 + col / 3 != square || std::isnan(value)) continue;
        if (std::isnan(largest) || std::abs(value) > std::abs(largest)) largest = value;
      }
    if (std::isnan(largest))
      EXPECT_TRUE(std::isnan(coarse.values[square]));
    else
      EXPECT_EQ(coarse.values[square], largest) << square;
  }
}

}  // namespace
}  // namespace regard
