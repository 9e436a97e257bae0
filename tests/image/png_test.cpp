#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "raw_png.h"
#include "regard/base/check.h"
#include "regard/image/png_reader.h"
#include "regard/image/png_writer.h"
#include "tests/support/law.h"

namespace regard {
namespace {

using testing::chunk;
using testing::Draw;
using testing::four_bytes;
using testing::kPngStart;
using testing::law;
using testing::RawPng;

/// A picture of a random kind and content.
RawPng random_png(Draw& draw, Index most) {
  RawPng png{.width = draw.integer(1, most),
             .height = draw.integer(1, most),
             .type = std::vector<int>{0, 2, 3, 4, 6}[static_cast<std::size_t>(draw.integer(0, 4))],
             .interlaced = draw.coin()};
  const bool narrow = png.type == 0 || png.type == 3;
  png.depth = narrow ? 1 << draw.integer(0, 3) : 8;
  const int levels = 1 << png.depth;
  for (Index i = 0; i < png.width * png.height * png.channels(); ++i)
    png.samples.push_back(static_cast<int>(draw.integer(0, levels - 1)));
  if (png.type == 3) {
    for (int i = 0; i < 3 * levels; ++i)
      png.palette.push_back(static_cast<char>(draw.integer(0, 255)));
    if (draw.coin())
      for (int i = 0; i < draw.integer(1, levels); ++i)
        png.transparent.push_back(static_cast<char>(draw.integer(0, 255)));
  } else if ((png.type == 0 || png.type == 2) && draw.coin()) {
    for (int c = 0; c < png.channels(); ++c)
      png.transparent += four_bytes(static_cast<std::uint32_t>(png.sample(0, 0, c))).substr(2);
  }
  return png;
}

/// Red, green, blue and alpha of a pixel, from the definition of the format.
std::array<int, 4> expected(const RawPng& png, Index x, Index y) {
  const auto byte = [](const std::string& text, int i) {
    return static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
  };
  const int first = png.sample(x, y, 0), full = (1 << png.depth) - 1;
  if (png.type == 3)
    return {byte(png.palette, 3 * first), byte(png.palette, 3 * first + 1),
            byte(png.palette, 3 * first + 2),
            static_cast<std::size_t>(first) < png.transparent.size() ? byte(png.transparent, first)
                                                                     : 255};
  if (png.type == 0 || png.type == 4) {
    const bool clear = !png.transparent.empty() && first == png.sample(0, 0, 0);
    const int level = first * 255 / full;
    return {level, level, level, png.type == 4 ? png.sample(x, y, 1) : clear ? 0 : 255};
  }
  const std::array<int, 3> colour{first, png.sample(x, y, 1), png.sample(x, y, 2)};
  const bool clear = !png.transparent.empty() && colour[0] == png.sample(0, 0, 0) &&
                     colour[1] == png.sample(0, 0, 1) && colour[2] == png.sample(0, 0, 2);
  return {colour[0], colour[1], colour[2], png.type == 6 ? png.sample(x, y, 3) : clear ? 0 : 255};
}

TEST(PngReader, ReadsEveryKindAndLaysItOverWhite) {
  law("a PNG of any kind has the pixels that were put into it", 400, [](Draw& draw) {
    RawPng png = random_png(draw, 20);
    // What is said beside the pixels changes none.
    if (draw.coin()) png.more = chunk("gAMA", four_bytes(100000)) + chunk("tEXt", "a");
    const Image image = parse_png(png.bytes(), "x.png");
    ASSERT_EQ(image.width, png.width);
    ASSERT_EQ(image.height, png.height);
    ASSERT_EQ(image.pixels.size(), static_cast<std::size_t>(png.width * png.height * 3));
    for (Index y = 0; y < png.height; ++y)
      for (Index x = 0; x < png.width; ++x) {
        const std::array<int, 4> rgba = expected(png, x, y);
        for (int c = 0; c < 3; ++c) {
          const double over =
              (rgba[static_cast<std::size_t>(c)] * rgba[3] + 255.0 * (255 - rgba[3])) / 255;
          const int found = image.pixels[static_cast<std::size_t>((y * png.width + x) * 3 + c)];
          ASSERT_LE(std::abs(found - over), 0.5) << "type " << png.type << ", depth " << png.depth;
        }
      }
  });
}

TEST(PngReader, ReadsWhatIsWritten) {
  law("a picture that is written and read is the same", 100, [](Draw& draw) {
    Image image{draw.integer(1, 40), draw.integer(1, 40)};
    for (Index i = 0; i < image.width * image.height * 3; ++i)
      image.pixels.push_back(static_cast<std::uint8_t>(draw.integer(0, 255)));
    EXPECT_EQ(parse_png(png_bytes(image.width, image.height, image.pixels), "x.png"), image);
  });
}

std::string refusal(const std::string& bytes) {
  try {
    parse_png(bytes, "x.png");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::input) << error.what();
    EXPECT_EQ(error.place.path, "x.png");
    EXPECT_TRUE(std::string(error.what()).starts_with("x.png: ")) << error.what();
    return error.what();
  }
  return "";
}

TEST(PngReader, RefusesEveryDamage) {
  law("a file that is cut short or has another byte is refused", 3000, [](Draw& draw) {
    std::string bytes = random_png(draw, 4).bytes();
    const auto at =
        static_cast<std::size_t>(draw.integer(0, static_cast<std::int64_t>(bytes.size()) - 1));
    if (draw.coin())
      bytes.resize(at);
    else
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << draw.integer(0, 7)));
    EXPECT_NE(refusal(bytes), "") << "at " << at << " of " << bytes.size();
  });
}

TEST(PngReader, SaysWhatIsWrongAndWhatToDo) {
  const RawPng one{.samples = {1, 2, 3}};
  const std::string good = one.bytes(), end = chunk("IEND", "");
  const auto header = [](RawPng png) { return kPngStart + chunk("IHDR", png.header()); };
  const auto with = [&](const std::string& header, const std::string& data) {
    return header + chunk("IDAT", data) + end;
  };
  RawPng moving = one, deep = one, partial = one;
  moving.more = chunk("acTL", four_bytes(2) + four_bytes(0));
  deep.depth = 16;
  partial.height = 2;
  const std::string wide = header({.width = 1 << 20, .height = 1 << 20});
  const std::string packed = one.data();
  struct Row {
    std::string bytes, said;
  };
  for (const Row& row : std::vector<Row>{
           {"", "an empty file"},
           {good.substr(0, 5), "truncated after 5 bytes"},
           {"\xFF\xD8\xFF\xE0..", "`convert in.jpg out.png`"},
           {"GIF89a", "begins like a GIF"},
           {"name\tcaption\n", "not a PNG"},
           {std::string("\x89PNG\n\x1a\n", 7) + good.substr(8), "sent as a text"},
           {good.substr(0, 47), "truncated or damaged: its chunk IDAT at byte 33"},
           {good.substr(0, good.size() - 12), "before its last part (IEND)"},
           {kPngStart + end, "does not begin with the chunk IHDR"},
           {kPngStart + chunk("IHDR", "short") + end, "does not begin with the chunk IHDR"},
           {deep.bytes(),
            "16-bit PNG; convert it to 8 bits, as in `convert in.png -depth 8 out.png`"},
           {moving.bytes(), "an animated PNG"},
           {with(wide, packed), "1048576 x 1048576 pixels, expected at most 67108864"},
           {with(header({.width = 2'000'000, .height = 1}), packed),
            "2000000 x 1 pixels, expected at most 67108864 and 1000000 a side"},
           {with(header({.width = 0, .height = 5}), packed), "damaged: 0 x 5 pixels"},
           {with(header({.width = -1, .height = -1}), packed), "4294967295 x 4294967295 pixels"},
           {with(header({.width = 8192, .height = 8192}), packed), "cannot hold its 8192 rows"},
           {with(header({.type = 5}), packed), "colour type 5 with 8 bits"},
           {with(header({.depth = 2}), packed), "damaged PNG"},
           {with(header(one), ""), "damaged PNG: Not enough image data"},
           {with(header(one), "this is not packed"), "damaged PNG"},
           {with(header(partial), packed), "damaged PNG: Not enough image data"},
           {header({.type = 3, .samples = {0}}) + chunk("IDAT", packed) + end, "damaged PNG"},
           {header(one) + chunk("NEED", "") + chunk("IDAT", packed) + end, "NEED"},
           {header(one) + chunk("1DAT", packed) + end, "the name of a chunk"}})
    EXPECT_NE(refusal(row.bytes).find(row.said), std::string::npos)
        << refusal(row.bytes) << "\ninstead of " << row.said;
}

TEST(PngReader, LeavesWhatDecidesNoPixel) {
  const RawPng one{.samples = {1, 2, 3}};
  const Image image = parse_png(one.bytes(), "x.png");
  EXPECT_EQ(parse_png(one.bytes() + "more", "x.png"), image);
  const RawPng two{.height = 2, .samples = {1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(parse_png(kPngStart + chunk("IHDR", one.header()) + chunk("IDAT", two.data()) +
                          chunk("IEND", ""),
                      "x.png"),
            image);
  const RawPng past{.type = 3, .samples = {2}, .palette = "abcdef"};
  EXPECT_EQ(parse_png(past.bytes(), "x.png").pixels, (std::vector<std::uint8_t>{0, 0, 0}));
}

TEST(PngReader, TakesAsManyPixelsAsItIsTold) {
  const std::string bytes =
      RawPng{.width = 3, .height = 2, .samples = std::vector<int>(18)}.bytes();
  EXPECT_EQ(parse_png(bytes, "x.png", 6).width, 3);
  EXPECT_THROW(parse_png(bytes, "x.png", 5), Error);
}

TEST(PngReader, NamesTheFileThatCannotBeRead) {
  const std::string folder = std::filesystem::temp_directory_path();
  for (const std::string& path : {folder, folder + "/no such picture.png"}) {
    try {
      read_png(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.fault, Fault::input);
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace regard
