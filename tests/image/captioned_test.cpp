#include "regard/image/captioned.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "regard/base/check.h"
#include "regard/image/patches.h"
#include "regard/image/png_writer.h"
#include "regard/image/scenes/caption.h"
#include "regard/image/scenes/paint.h"
#include "regard/image/source.h"

namespace regard {
namespace {

std::unique_ptr<CaptionedSet> scenes_in(const std::string& language, Index count, Index side) {
  return builtin_pictures(*find_picture_corpus(kBuiltinScenes), {}, count, language, side);
}

/// Of every corpus, in the last of its languages.
TEST(BuiltinPictures, AreThoseOfTheCorpusWithTheBoxOfEachNamingWord) {
  const scenes::ScenesSpec spec{.split = Split::test};
  for (const PictureCorpus& corpus : picture_corpora()) {
    const std::string language(corpus.languages().back());
    const auto set = builtin_pictures(corpus, spec, 40, language, scenes::kSide);
    ASSERT_EQ(set->count(), 40);
    for (Index i = 0; i < set->count(); ++i) {
      const scenes::Scene scene = corpus.scene(spec, i);
      const scenes::Caption said = corpus.say(scene.content, language);
      const Captioned about = set->about(i);
      EXPECT_EQ(about.caption, said.text);
      EXPECT_EQ(about.unseen, i % 2 == 1);
      EXPECT_EQ(about.name, std::string(corpus.name) + " test " + std::to_string(i));
      EXPECT_EQ(set->square(i), scenes::painted(scene));
      ASSERT_EQ(about.named.size(), said.words.size());
      for (std::size_t w = 0; w < said.words.size(); ++w)
        EXPECT_EQ(about.named[w], (NamedBox{said.words[w].begin, said.words[w].end,
                                            scenes::box_of(scene, said.words[w].object)}));
    }
  }
}

TEST(BuiltinPictures, HaveBoxesOfTheirSize) {
  const auto whole = scenes_in("en", 9, 64), half = scenes_in("en", 9, 32);
  for (Index i = 0; i < 9; ++i) {
    EXPECT_EQ(half->square(i).width, 32);
    for (std::size_t w = 0; w < whole->about(i).named.size(); ++w) {
      const PixelBox a = whole->about(i).named[w].box, b = half->about(i).named[w].box;
      EXPECT_NEAR(static_cast<double>(a.x) / 2, static_cast<double>(b.x), 1);
      EXPECT_NEAR(static_cast<double>(a.width) / 2, static_cast<double>(b.width), 1);
    }
  }
}

TEST(BuiltinPictures, RefuseALanguageAndANumberThatTheyDoNotHave) {
  EXPECT_THROW(scenes_in("de", 9, 64), Error);
  EXPECT_THROW(scenes_in("en", scenes::kMaxScenes + 1, 64), Error);
}

/// Nothing but what is asked for is read, and no file twice.
TEST(CaptionedPictures, AreReadOnceHoweverOftenTheyAreNamed) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("captioned" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const int level : {1, 2}) {
    const auto red = static_cast<std::uint8_t>(level);
    std::ofstream(folder / (std::to_string(level) + ".png"), std::ios::binary)
        << png_bytes(1, 1, std::vector<std::uint8_t>{red, 0, 0});
  }
  std::ofstream(folder / "list") << "1.png\ta\n2.png\tb\n./1.png\tc\n1.png\td\n";
  const auto set = captioned_pictures(folder / "list", 1);
  ASSERT_EQ(set->count(), 4);
  const std::vector<Index> expected{0, 1, 0, 0};
  for (Index i = 0; i < 4; ++i) {
    EXPECT_EQ(set->picture(i), expected[static_cast<std::size_t>(i)]);
    EXPECT_EQ(set->square(i).pixels[0], set->picture(i) + 1);
    EXPECT_EQ(set->about(i).caption, std::string(1, static_cast<char>('a' + i)));
  }
  const auto needs = [&] { captioned_pictures(folder / "list", Index{1} << 26); };
  try {
    needs();
    ADD_FAILURE() << "so many pixels fit into memory";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault, Fault::device);
    EXPECT_NE(std::string(error.what()).find("lower model.image_size"), std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

TEST(SourceOf, HasTheLevelsPatchAfterPatch) {
  Image image{4, 4};
  for (std::uint8_t i = 0; i < 48; ++i) image.pixels.push_back(i);
  const std::vector<std::int32_t> source = source_of(image, {.side = 4, .patch = 2});
  ASSERT_EQ(source.size(), 48U);
  // The second patch begins at the third pixel of the first row; its second row is 12 levels on.
  EXPECT_EQ(source[12], 6);
  EXPECT_EQ(source[18], 18);
}

}  // namespace
}  // namespace regard
