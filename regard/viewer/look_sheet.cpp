#include "regard/viewer/look_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "regard/base/check.h"
#include "regard/image/fit.h"
#include "regard/viewer/draw/axis_labels.h"
#include "regard/viewer/draw/heading.h"
#include "regard/viewer/draw/pdf_canvas.h"
#include "regard/viewer/draw/png_canvas.h"
#include "regard/viewer/draw/svg_canvas.h"
#include "regard/viewer/text.h"

namespace regard {
namespace {

constexpr double kMargin = 20, kPanel = 112, kGap = 14, kWord = 13, kAbove = 20;
constexpr std::size_t kAcross = 6, kMaxNotes = 4096;
constexpr Index kPixels = 224;  // about those of a panel, on fine screens

std::size_t patches_of(const LookSheet& sheet) {
  return static_cast<std::size_t>(sheet.across * sheet.across);
}

void check_sheet(const LookSheet& sheet) {
  const Image& picture = sheet.picture;
  check(picture.width > 0 && picture.width == picture.height && sheet.across > 0,
        "a sheet shows a square picture cut into patches, not ", picture.width, " x ",
        picture.height, " pixels in ", sheet.across, " patches a row");
  for (const Look& look : sheet.looks)
    check(look.weights.size() == patches_of(sheet), "a look of ", look.weights.size(),
          " weights at ", patches_of(sheet), " patches");
}

/// What a pixel is where nobody looked: dim and nearly grey, so that bright ground stands out too.
double veiled(double level, double grey, double veil) {
  constexpr double kThick = 0.74;
  return kThick * veil + (1 - kThick) * (0.35 * level + 0.65 * grey);
}

/// The picture as a look leaves it to be seen.
Image looked_at(const Image& picture, const Look& look, Index across) {
  const double most = std::ranges::max(look.weights);
  Image seen = picture;
  for (Index y = 0; y < picture.height; ++y)
    for (Index x = 0; x < picture.width; ++x) {
      const Index patch = y * across / picture.height * across + x * across / picture.width;
      const double weight = look.weights[static_cast<std::size_t>(patch)];
      const double clear = most > 0 && weight > 0 ? weight / most : 0;
      std::uint8_t* const rgb = seen.pixels.data() + (y * picture.width + x) * 3;
      const double grey = 0.3 * rgb[0] + 0.59 * rgb[1] + 0.11 * rgb[2];
      constexpr double kVeil[]{188, 192, 206};
      for (int c = 0; c < 3; ++c)
        rgb[c] = static_cast<std::uint8_t>(
            std::lround(clear * rgb[c] + (1 - clear) * veiled(rgb[c], grey, kVeil[c])));
    }
  return seen;
}

class LookSheetFigure {
 public:
  explicit LookSheetFigure(const LookSheet& sheet)
      : sheet_(sheet), heading_(sheet.title, sheet.subtitle) {
    check_sheet(sheet);
    // A whole number of pixels for each patch, so that veils end where patches do.
    const Index scale = std::max<Index>(1, kPixels / sheet.across);
    picture_ = fit_to_square(sheet.picture, scale * sheet.across);
    const std::size_t panels = sheet.looks.size() + 1;
    across_ = std::min(panels, kAcross);
    down_ = (panels + across_ - 1) / across_;
    width_ = 2 * kMargin + static_cast<double>(across_) * (kPanel + kGap) - kGap;
    width_ = std::max(width_, 2 * kMargin + heading_.narrowest(6 * kPanel));
    heading_.fit(width_ - 2 * kMargin);
  }

  Page page() const {
    return {.width = width_,
            .height = 2 * kMargin + heading_.height() +
                      static_cast<double>(down_) * (kAbove + kPanel + kGap) - kGap,
            .title = sheet_.title,
            .description = fmt::format(
                "A picture, and {} times under a veil that is clear where the model looked.",
                sheet_.looks.size())};
  }

  void draw(Canvas& canvas) const {
    heading_.draw(canvas, {kMargin, kMargin});
    draw_panel(canvas, 0, "", picture_);
    for (std::size_t i = 0; i < sheet_.looks.size(); ++i) {
      const Look& look = sheet_.looks[i];
      draw_panel(canvas, i + 1, look.word, looked_at(picture_, look, sheet_.across));
    }
    if (patches_of(sheet_) * sheet_.looks.size() <= kMaxNotes)
      for (std::size_t i = 0; i < sheet_.looks.size(); ++i) draw_notes(canvas, i);
  }

 private:
  Box box_of(std::size_t panel) const {
    const std::size_t row = panel / across_, column = panel % across_;
    return {
        kMargin + static_cast<double>(column) * (kPanel + kGap),
        kMargin + heading_.height() + kAbove + static_cast<double>(row) * (kAbove + kPanel + kGap),
        kPanel, kPanel};
  }

  void draw_panel(Canvas& canvas, std::size_t panel, const std::string& word,
                  const Image& image) const {
    const Box box = box_of(panel);
    canvas.text({box.x + box.width / 2, box.y - 6}, fit_text(word, kPanel, kWord, true),
                {.size = kWord, .bold = true, .anchor = Anchor::middle});
    canvas.picture(box, image);
    frame(canvas, {box.x - 0.5, box.y - 0.5, box.width + 1, box.height + 1}, {.colour = kRule});
  }

  void draw_notes(Canvas& canvas, std::size_t i) const {
    const Look& look = sheet_.looks[i];
    const Box box = box_of(i + 1);
    const double side = kPanel / static_cast<double>(sheet_.across);
    for (std::size_t patch = 0; patch < look.weights.size(); ++patch) {
      const auto across = static_cast<std::size_t>(sheet_.across);
      const std::size_t row = patch / across, column = patch % across;
      canvas.note({box.x + side * static_cast<double>(column),
                   box.y + side * static_cast<double>(row), side, side},
                  visible(fmt::format("{}: {:.4g}", look.word, look.weights[patch])));
    }
  }

  const LookSheet& sheet_;
  Heading heading_;
  Image picture_;
  std::size_t across_ = 1, down_ = 1;
  double width_ = 0;
};

template <class VectorCanvas>
std::string document(const LookSheet& sheet) {
  const LookSheetFigure figure(sheet);
  VectorCanvas canvas(figure.page());
  figure.draw(canvas);
  return canvas.document();
}

}  // namespace

std::string svg(const LookSheet& sheet) {
  return document<SvgCanvas>(sheet);
}

std::string pdf(const LookSheet& sheet) {
  return document<PdfCanvas>(sheet);
}

std::string png(const LookSheet& sheet) {
  const LookSheetFigure figure(sheet);
  PngCanvas canvas(figure.page().width, figure.page().height);
  figure.draw(canvas);
  return canvas.document();
}

HeatMap heat_map_of(const LookSheet& sheet) {
  HeatMap map{.title = sheet.title,
              .subtitle = sheet.subtitle,
              .row_axis = "row of patches",
              .col_axis = "column of patches"};
  for (const Look& look : sheet.looks)
    map.panels.push_back(
        {.title = look.word, .rows = sheet.across, .cols = sheet.across, .values = look.weights});
  return map;
}

}  // namespace regard
