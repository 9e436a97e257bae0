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
