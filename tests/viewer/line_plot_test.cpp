#include "regard/viewer/line_plot.h"

#include <gtest/gtest.h>

#include "picture_law.h"
#include "regard/base/check.h"
#include "regard/viewer/line_plot_axis.h"

namespace regard {
namespace {

LinePlot sample() {
  LinePlot plot{.title = "truth & <fit>", .x_axis = "x", .y_axis = "f(x)"};
  plot.curves.resize(3);
  plot.curves[0].name = "truth";
  plot.curves[1].name = "prédiction";
  plot.curves[2].name = "data";
  plot.curves[2].points = true;
  for (int i = 0; i < 40; ++i)
    for (Curve& curve : plot.curves) {
      curve.x.push_back(i / 8.0);
      curve.y.push_back(std::sin(i / 8.0) + static_cast<double>(&curve - plot.curves.data()));
    }
  return plot;
}

TEST(LinePlotSvg, NamesAxesAndCurves) {
  const std::string document = svg(sample());
  EXPECT_EQ(xml_fault(document), "");
  for (const char* text :
       {">truth &amp; &lt;fit&gt;</text>", ">x</text>", ">f(x)</text>", ">truth</text>",
        ">prédiction</text>", ">data</text>", "stroke-dasharray"})
    EXPECT_NE(document.find(text), std::string::npos) << text;
  EXPECT_EQ(svg(sample()), document);
}

TEST(LinePlot, DrawsThinCurvesThinAndFirst) {
  LinePlot plot = sample();
  const std::string wide = svg(plot), narrow = "stroke-width=\"1\"";
  plot.curves[1].thin = true;
  const std::string document = svg(plot);
  const auto count = [&](const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(narrow, at)) != text.npos; ++at) ++found;
    return found;
  };
  EXPECT_EQ(count(document), count(wide) + 2) << "its line, and its sample in the legend";
  EXPECT_NE(document.find("stroke-dasharray"), std::string::npos);
  EXPECT_LT(document.find("stroke-dasharray"), wide.find("stroke-dasharray"));
}

TEST(LinePlot, HasBandsBehindItsCurvesAndStripsBelow) {
  const LinePlot plain = sample();
  LinePlot plot = plain;
  plot.bands = {{"likely", {0, 1, 2}, {-3, -4, -3}, {5, 6, 7}}};
  plot.strips = {{"head <1>", {0, 2, 3}, {0.25, 0.75}}, {"head 2", {1, 2}, {0}}};
  plot.strips_title = "who & where";
  const std::string document = svg(plot);
  EXPECT_EQ(xml_fault(document), "");
  for (const char* text : {">head &lt;1&gt;</text>", ">head 2</text>", ">who &amp; where</text>",
                           "head &lt;1&gt;: 0.7500"})
    EXPECT_NE(document.find(text), std::string::npos) << text;
  EXPECT_GT(axes_of(plot).y.high, 7) << "a band is seen whole";
  EXPECT_EQ(svg(plot), document);
  EXPECT_NE(png(plot), png(plain));
  EXPECT_FALSE(pdf(plot).empty());
}

TEST(LinePlot, RefusesBandsAndStripsThatDoNotFit) {
  LinePlot plot = sample();
  plot.bands = {{"likely", {0, 1}, {1}, {2, 3}}};
  EXPECT_THROW(svg(plot), Error);
  for (const std::vector<double>& edges :
       {std::vector<double>{}, {0}, {0, 1}, {0, 2, 1}, {0, 1, 2, 3}}) {
    plot = sample();
    plot.strips = {{"head", edges, {1, 2}}};
    EXPECT_THROW(svg(plot), Error);
  }
}

TEST(LinePlot, DrawsWhatHasNothingToDraw) {
  std::vector<LinePlot> plots(9);
  plots[1].curves = {{"empty", {}, {}}};
  plots[2].curves = {{"gaps", {1, kHidden, 3, HUGE_VAL}, {kHidden, 1, 2, 2}}};
  plots[3] = {
      .title = "nothing above 0", .curves = {{"", {-1, 0}, {1, 2}}}, .log_x = true, .log_y = true};
  plots[4].curves = {{"one place", {3}, {-7}}};
  plots[5].curves = {{"far", {-1e308, 1e308}, {1e308, -1e308}}};
  plots[6].curves = {{"near nothing", {0, 1}, {0, 5e-324}}};
  plots[7].curves = {{"near each other", {1e16, 1e16 + 2}, {1, 1 + 1e-15}}};
  plots[8] = {.curves = {{"", {5e-324, 1e-308}, {1e-308, 1e308}}}, .log_x = true, .log_y = true};
  for (const LinePlot& plot : plots) {
    EXPECT_EQ(xml_fault(svg(plot)), "");
    EXPECT_EQ(svg(plot).find("nan"), std::string::npos) << plot.title;
    EXPECT_EQ(png(plot).substr(1, 3), "PNG");
    for (const Terminal& kind : every_terminal(40)) expect_fits(terminal(plot, kind), kind);
  }
}

TEST(LinePlot, MarksWholeStepsWhereOnlyThoseAreShown) {
  const auto marks = [](const std::vector<double>& x, int most) {
    std::string all;
    for (const Tick& tick : axes_of({.curves = {{"", x, x}}}).x.marks(most))
      all += (all.empty() ? "" : " ") + tick.text;
    return all;
  };
  EXPECT_EQ(marks({1, 2, 3}, 8), "1 2 3");
  EXPECT_EQ(marks({1, 2, 3.5}, 8), "1.0 1.5 2.0 2.5 3.0 3.5");
  EXPECT_EQ(marks({7}, 8).find('.'), std::string::npos);
  for (int last = 1; last < 40; ++last)
    for (const int most : {2, 5, 8})
      EXPECT_EQ(marks({0, static_cast<double>(last)}, most).find('.'), std::string::npos) << last;
}

TEST(LinePlot, RefusesUnequalLengths) {
  const LinePlot plot{.curves = {{"odd", {1, 2}, {1}}}};
  EXPECT_THROW(svg(plot), Error);
  EXPECT_THROW(terminal(plot, Terminal{}), Error);
}

TEST(PlotAxis, PlacesValuesInOrderBetweenItsEnds) {
  LinePlot plot = sample();
  for (const bool log : {false, true}) {
    plot.log_x = log;
    const PlotAxes axes = axes_of(plot);
    double before = -1;
    for (const double x : plot.curves[0].x) {
      if (!axes.x.shows(x)) continue;
      const double place = axes.x.place(x);
      EXPECT_GT(place, before);
      EXPECT_TRUE(place >= 0 && place <= 1) << place;
      before = place;
    }
  }
  const PlotAxis decades{1, 1000, true};
  EXPECT_NEAR(decades.place(10), 1.0 / 3, 1e-12);
}

TEST(LinePlotTerminal, NeverPassesTheWidth) {
  LinePlot plot = sample();
  for (const bool log : {false, true}) {
    plot.log_x = plot.log_y = log;
    for (const int width : {1, 2, 5, 13, 30, 80, 250})
      for (const Terminal& kind : every_terminal(width)) expect_fits(terminal(plot, kind), kind);
  }
}

TEST(LinePlotTerminal, ARisingLineRises) {
  const LinePlot plot{.curves = {{"", {0, 1}, {0, 1}}}};
  const std::vector<std::string> lines =
      plain_lines(terminal(plot, {TerminalColour::none, 60, false}));
  std::size_t before = 1000;
  int drawn = 0;
  for (const std::string& line : lines) {
    const std::size_t at = line.find('*');
    if (at == std::string::npos) continue;
    EXPECT_LT(at, before);
    before = at;
    ++drawn;
  }
  EXPECT_GT(drawn, 8);
}

}  // namespace
}  // namespace regard
