#include "regard/viewer/glyphs/typefaces.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "regard/viewer/glyphs/set_line.h"
#include "tests/support/law.h"
#include "tests/viewer/planted_font.h"

namespace regard {
namespace {

using testing::Draw;
using testing::Folder;

namespace fs = std::filesystem;

Typeface* drawing(Typefaces& typefaces, char32_t letter, bool bold = false) {
  const std::uint32_t letters[] = {letter};
  return typefaces.drawing(letters, bold);
}

TEST(Typefaces, OursComeFirst) {
  Typefaces none(std::vector<fs::path>{});
  EXPECT_EQ(drawing(none, U'a'), &none.ours(false));
  EXPECT_EQ(drawing(none, U'a', true), &none.ours(true));
  EXPECT_EQ(drawing(none, U' '), &none.ours(false));
  EXPECT_EQ(drawing(none, U'ሀ'), nullptr);
  EXPECT_EQ(drawing(none, kPlanted), nullptr);
  // What the bold one lacks the other has.
  EXPECT_EQ(drawing(none, U'\U0001D5A2', true), &none.ours(false));
}

TEST(Typefaces, FontsOfTheMachineHaveTheRest) {
  const Folder folder;
  std::uint32_t glyph = 0;
  fs::create_directories(folder.path("deep/er"));
  folder.write("deep/er/Planted.TTF", planted_font(&glyph));
  Typefaces typefaces({folder.path("missing"), folder.path()});
  for (const bool bold : {false, true}) {
    Typeface* const found = drawing(typefaces, kPlanted, bold);
    ASSERT_NE(found, nullptr);
    EXPECT_NE(found, &typefaces.ours(bold));
    EXPECT_EQ(found->glyph_of(kPlanted), glyph);
    EXPECT_EQ(drawing(typefaces, kPlanted, bold), found);
    EXPECT_EQ(drawing(typefaces, U'a', bold), &typefaces.ours(bold));
    EXPECT_EQ(drawing(typefaces, kPlanted - 1, bold), nullptr);
    // A mark goes with its letter: the planted font has both.
    const std::uint32_t marked[] = {kPlanted, 0x301};
    EXPECT_EQ(typefaces.drawing(marked, bold), found);
    const SetLine line = set_line("a\U0010FF00\u0301b", bold, typefaces);
    ASSERT_EQ(line.clusters.size(), 3u);
    ASSERT_EQ(line.clusters[1].glyphs.size(), 2u);
    EXPECT_EQ(line.clusters[1].glyphs[0].number, glyph);
    for (const SetGlyph& part : line.clusters[1].glyphs) EXPECT_EQ(part.typeface, found);
  }
}

TEST(Typefaces, PlainFontsAreTriedFirst) {
  const Folder folder;
  const std::vector<std::string> regular{"NotoSans-Regular.ttf",     "OtherSans.otf",
                                         "NotoNastaliq-Regular.ttf", "NotoSans-Bold.ttc",
                                         "NotoSerif-Bold.ttf",       "Other-SemiBoldItalic.OTC"};
  for (const std::string& name : regular) folder.write(name, "");
  for (const char* other : {"Sans.txt", "Sans", "Sans.ttf.gz", "Sans.pfb"}) folder.write(other, "");
  fs::create_directory(folder.path("Folder.ttf"));
  fs::create_symlink("nowhere", folder.path("Dangling.ttf"));
  const auto names = [&](bool bold) {
    std::vector<std::string> names;
    for (const auto& path : font_files({folder.path()}, bold)) names.push_back(path.filename());
    return names;
  };
  EXPECT_EQ(names(false), regular);
  EXPECT_EQ(names(true).front(), "NotoSans-Bold.ttc");
}

TEST(Typefaces, FoldersAreThoseOfTheDesktop) {
  const auto before = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  const std::string home = before("XDG_DATA_HOME"), shared = before("XDG_DATA_DIRS");
  setenv("XDG_DATA_HOME", "/one", 1);
  setenv("XDG_DATA_DIRS", "/two:/three/", 1);
  const auto folders = font_folders();
  home.empty() ? unsetenv("XDG_DATA_HOME") : setenv("XDG_DATA_HOME", home.c_str(), 1);
  shared.empty() ? unsetenv("XDG_DATA_DIRS") : setenv("XDG_DATA_DIRS", shared.c_str(), 1);
  ASSERT_EQ(folders.size(), 4u);
  EXPECT_EQ(folders[0], "/one/fonts");
  EXPECT_EQ(folders[2], "/two/fonts");
  EXPECT_EQ(folders[3], "/three/fonts");
}

TEST(Typefaces, DamagedFontsBreakNothing) {
  const std::string whole = planted_font();
  const auto size = static_cast<std::int64_t>(whole.size());
  testing::law("damaged fonts", 60, [&](Draw& draw) {
    const Folder folder;
    std::string file = whole;
    if (draw.coin()) file.resize(static_cast<std::size_t>(draw.integer(0, size)));
    // The directory of tables and the tables that are read first lie in front.
    for (std::int64_t i = draw.integer(0, 40); i > 0 && !file.empty(); --i) {
      const auto most = static_cast<std::int64_t>(file.size()) - 1;
      const std::int64_t at =
          draw.integer(0, draw.coin() ? most : std::min<std::int64_t>(most, 400));
      file[static_cast<std::size_t>(at)] = static_cast<char>(draw.integer(0, 255));
    }
    folder.write("Damaged.ttf", file);
    Typefaces typefaces({folder.path()});
    const SetLine line = set_line("a\U0010FF00ب\u0F40\U0010FF01", draw.coin(), typefaces);
    for (const SetCluster& cluster : line.clusters)
      for (const SetGlyph& glyph : cluster.glyphs) {
        glyph.typeface->outline(glyph.number);
        glyph.typeface->cover(glyph.number, {.at = {}, .size = 20}, [](auto, auto, auto) {});
      }
  });
}

/// The area inside an outline, in ems: what runs round a hole counts against it.
double area(const std::vector<OutlineStep>& steps) {
  constexpr int kPieces = 40;
  double twice = 0;
  Point start, here;
  const auto go = [&](Point to) {
    twice += here.x * to.y - to.x * here.y;
    here = to;
  };
  for (const OutlineStep& step : steps) {
    if (step.kind == OutlineStep::move) {
      go(start);
      start = here = step.to;
      continue;
    }
    const Point from = here, a = step.leaving, b = step.arriving, to = step.to;
    for (int i = 1; i <= kPieces && step.kind == OutlineStep::curve; ++i) {
      const double t = double(i) / kPieces, s = 1 - t;
      const auto at = [&](double p, double q, double r, double u) {
        return s * s * s * p + 3 * s * s * t * q + 3 * s * t * t * r + t * t * t * u;
      };
      go({at(from.x, a.x, b.x, to.x), at(from.y, a.y, b.y, to.y)});
    }
    go(to);
  }
  go(start);
  return std::abs(twice) / 2 / 1e6;
}

void expect_outline_is_covered(Typeface& typeface, char32_t letter) {
  constexpr double kSize = 200;
  const std::uint32_t glyph = typeface.glyph_of(letter);
  const std::size_t steps = typeface.outline(glyph).size();
  const Point first = typeface.outline(glyph).front().to;
  double covered = 0;
  typeface.cover(glyph, {.at = {3.3, 7.7}, .size = kSize, .cosine = 0.8, .sine = 0.6},
                 [&](auto, auto, std::uint8_t coverage) { covered += coverage / 255.0; });
  const double expected = area(typeface.outline(glyph)) * kSize * kSize;
  EXPECT_EQ(typeface.outline(glyph).size(), steps);
  EXPECT_EQ(typeface.outline(glyph).front().to.x, first.x) << "turned as it was drawn";
  EXPECT_GT(expected, 100) << std::uint32_t(letter);
  EXPECT_NEAR(covered, expected, 0.02 * expected) << std::uint32_t(letter);
}

TEST(Typefaces, OutlinesAreWhatIsRasterised) {
  Typefaces typefaces(std::vector<fs::path>{});
  for (const bool bold : {false, true})
    for (const char32_t letter : std::u32string(U"oAé8gЖβبw"))
      expect_outline_is_covered(typefaces.ours(bold), letter);
}

TEST(Typefaces, ChineseWhereTheMachineHasIt) {
  Typefaces& typefaces = Typefaces::of_this_thread();
  if (drawing(typefaces, U'你') == nullptr)
    GTEST_SKIP() << "skipped: no font of this machine has Chinese";
  for (const bool bold : {false, true}) {
    const SetLine line = set_line("你好, cat", bold);
    ASSERT_EQ(line.clusters.size(), 7u);
    for (const int i : {0, 1}) {
      ASSERT_EQ(line.clusters[i].glyphs.size(), 1u);
      EXPECT_EQ(line.clusters[i].glyphs.front().size, 1);
      EXPECT_NE(line.clusters[i].glyphs.front().typeface, &typefaces.ours(bold));
      EXPECT_NEAR(line.clusters[i].advance, 1, 0.1);
      expect_outline_is_covered(*line.clusters[i].glyphs.front().typeface,
                                line.clusters[i].text[0]);
    }
    EXPECT_EQ(line.clusters[5].glyphs.front().typeface, &typefaces.ours(bold));
  }
}

}  // namespace
}  // namespace regard
