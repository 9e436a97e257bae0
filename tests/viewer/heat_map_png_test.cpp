#include <gtest/gtest.h>
#include <png.h>

#include <cmath>

#include "picture_law.h"
#include "regard/viewer/draw/canvas.h"
#include "regard/viewer/draw/png_canvas.h"
#include "regard/viewer/glyphs/set_line.h"
#include "regard/viewer/heat_map.h"
#include "regard/viewer/heat_map_figure.h"
#include "regard/viewer/line_plot.h"
#include "tests/viewer/planted_font.h"

namespace regard {
namespace {

struct Image {
  std::int64_t width = 0, height = 0;
  std::vector<std::uint8_t> pixels;

  Colour at(double x, double y) const {  // in units of the figure
    const auto column = static_cast<std::int64_t>(x * PngCanvas::kScale);
    const auto row = static_cast<std::int64_t>(y * PngCanvas::kScale);
    const std::uint8_t* pixel = &pixels[static_cast<std::size_t>((row * width + column) * 3)];
    return {pixel[0], pixel[1], pixel[2]};
  }
};

Image decoded(const std::string& bytes) {
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  EXPECT_TRUE(png_image_begin_read_from_memory(&header, bytes.data(), bytes.size()));
  header.format = PNG_FORMAT_RGB;
  Image image{header.width, header.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(header))};
  EXPECT_TRUE(png_image_finish_read(&header, nullptr, image.pixels.data(), 0, nullptr));
  return image;
}

void expect_cells(const HeatMap& map) {
  const HeatMapFigure figure(map, 4'000'000);
  const Image image = decoded(png(map));
  EXPECT_EQ(image.width, std::ceil(figure.width() * PngCanvas::kScale));
  EXPECT_EQ(image.height, std::ceil(figure.height() * PngCanvas::kScale));
  for (std::size_t p = 0; p < map.panels.size(); ++p) {
    const Panel& panel = map.panels[p];
    const Box box = figure.box_of(p);
    for (std::int64_t row = 0; row < panel.rows; ++row)
      for (std::int64_t col = 0; col < panel.cols; ++col) {
        const double value = panel.values[row * panel.cols + col];
        const Colour found = image.at(box.x + (static_cast<double>(col) + 0.5) * figure.cell(),
                                      box.y + (static_cast<double>(row) + 0.5) * figure.cell());
        if (std::isnan(value)) {
          EXPECT_GE(found.red, kHatchStripe.red - 1);
          EXPECT_LE(std::abs(found.blue - found.red), kHatchStripe.blue - kHatchStripe.red + 1);
        } else {
          ASSERT_EQ(found, figure.scale().at(value)) << p << ": " << row << ", " << col;
        }
      }
  }
}

TEST(HeatMapPng, CellsHaveTheColoursOfTheirValues) {
  expect_cells({.title = "positive", .panels = {random_panel(5, 7, Rng(1))}, .show_values = false});
  expect_cells(
      {.panels = {random_panel(9, 4, Rng(2), -1, true)}, .row_axis = "q", .show_values = false});
  HeatMap grid{.title = "grid", .panels_across = 3, .show_values = false};
  for (std::uint64_t i = 0; i < 7; ++i)
    grid.panels.push_back(random_panel(3 + static_cast<std::int64_t>(i), 6, Rng(i), 0, true));
  expect_cells(grid);
  expect_cells({.panels = {random_panel(200, 300, Rng(3))}});
}

TEST(HeatMapPng, PanelsDoNotOverlapAndStayOnThePage) {
  for (const std::int64_t across : {0, 1, 2, 5}) {
    HeatMap map{.title = "grid", .panels = {}, .panels_across = across};
    for (std::uint64_t i = 0; i < 11; ++i) {
      map.panels.push_back(random_panel(2 + static_cast<std::int64_t>(i % 3), 4, Rng(i)));
      if (i % 2)
        map.panels.back().col_labels = {"a", "a long label, longer than its cell", "c", "d"};
    }
    const HeatMapFigure figure(map, 1000);
    for (std::size_t i = 0; i < 11; ++i) {
      const Box a = figure.box_of(i);
      EXPECT_GE(a.x, 0);
      EXPECT_LE(a.x + a.width, figure.width());
      EXPECT_LE(a.y + a.height, figure.height());
      for (std::size_t j = 0; j < i; ++j) {
        const Box b = figure.box_of(j);
        EXPECT_TRUE(a.x >= b.x + b.width || b.x >= a.x + a.width || a.y >= b.y + b.height ||
                    b.y >= a.y + a.height);
      }
    }
  }
}

TEST(HeatMapPng, LabelsLeaveInk) {
  HeatMap map{.panels = {random_panel(2, 2, Rng(1))}, .show_values = false};
  map.panels[0].row_labels = map.panels[0].col_labels = {"été", "日"};
  const HeatMapFigure figure(map, 100);
  const Image image = decoded(png(map));
  const Box box = figure.box_of(0);
  int dark = 0;
  for (double y = box.y; y < box.y + box.height; y += 0.5)
    for (double x = 0; x < box.x - 4; x += 0.5) dark += luminance(image.at(x, y)) < 0.2;
  EXPECT_GT(dark, 50);
}

/// The box of what is not white, in units of the figure.
Box ink_of(const Image& image) {
  std::int64_t left = image.width, top = image.height, right = 0, bottom = 0;
  for (std::int64_t y = 0; y < image.height; ++y)
    for (std::int64_t x = 0; x < image.width; ++x)
      if (image.pixels[static_cast<std::size_t>((y * image.width + x) * 3)] < 200) {
        left = std::min(left, x), right = std::max(right, x + 1);
        top = std::min(top, y), bottom = std::max(bottom, y + 1);
      }
  const auto unit = [](std::int64_t count) { return double(count) / PngCanvas::kScale; };
  return {unit(left), unit(top), unit(right - left), unit(bottom - top)};
}

TEST(PngText, IsAsLongAsItMeasuresWherever) {
  for (const std::string text :
       {"long words", "القطة السوداء", "חתול שחור 12", "a\U0010FFFDb", "日本"})
    for (const bool bold : {false, true})
      for (const Anchor anchor : {Anchor::start, Anchor::middle, Anchor::end}) {
        const double length = text_width(text, 12, bold);
        const double before = anchor == Anchor::start ? 0
                              : anchor == Anchor::end ? length
                                                      : length / 2;
        constexpr double kBearing = 3;  // beside the ink of a letter
        TextStyle style{.size = 12, .bold = bold, .anchor = anchor};
        PngCanvas level(300, 300), upright(300, 300);
        level.text({150, 150}, text, style);
        style.angle = 90;
        upright.text({150, 150}, text, style);
        const Box along = ink_of(decoded(level.document())),
                  up = ink_of(decoded(upright.document()));
        EXPECT_NEAR(along.x, 150 - before, kBearing) << text;
        EXPECT_NEAR(along.width, length, 2 * kBearing) << text;
        EXPECT_NEAR(up.y + up.height, 150 + before, kBearing) << text;
        EXPECT_NEAR(up.height, length, 2 * kBearing) << text;
      }
}

TEST(PngText, UsesFontsOfTheMachine) {
  const auto ink = [] {
    PngCanvas canvas(60, 40);
    canvas.text({10, 30}, "\U0010FF00", {.size = 20});
    return canvas.document();
  };
  const std::string spelled = ink();
  with_planted_font([&] { EXPECT_NE(ink(), spelled); });
}

TEST(LinePlotPng, DrawsEachCurveInItsColour) {
  const LinePlot plot{.title = "two",
                      .curves = {{"up", {0, 1}, {0, 1}}, {"level", {0, 1}, {0.5, 0.5}}}};
  const Image image = decoded(png(plot));
  int blue = 0, orange = 0;
  for (std::size_t i = 0; i < image.pixels.size(); i += 3) {
    const Colour pixel{image.pixels[i], image.pixels[i + 1], image.pixels[i + 2]};
    blue += pixel == Colour{0, 114, 178};
    orange += pixel == Colour{213, 94, 0};
  }
  EXPECT_GT(blue, 1000);
  EXPECT_GT(orange, 1000);
}

}  // namespace
}  // namespace regard
