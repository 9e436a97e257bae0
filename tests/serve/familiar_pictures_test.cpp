// Pictures to try: those whose words a model has learned, or none.
#include "regard/serve/model/familiar_pictures.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "regard/base/base64.h"
#include "regard/image/png_reader.h"
#include "regard/image/scenes/caption.h"
#include "regard/image/scenes/corpus.h"
#include "regard/image/scenes/paint.h"
#include "regard/tokens/subwords.h"
#include "regard/tokens/words.h"

namespace regard {
namespace {

std::vector<std::string> captions(const std::string& language) {
  std::vector<std::string> all;
  for (Index i = 0; i < 2000; ++i)
    all.push_back(scenes::caption(scenes::scene({}, i).content, language).text);
  return all;
}

TEST(FamiliarPictures, AreScenesForAModelThatKnowsTheirWords) {
  for (const std::string language : {"en", "fr"}) {
    ModelInfo info;
    info.to = language;
    info.target = word_vocabulary(captions(language), {.min_frequency = 1});
    const auto pictures = familiar_pictures(info);
    ASSERT_EQ(pictures.size(), 6u);
    for (std::size_t i = 0; i < 6; ++i) {
      const scenes::Scene scene = scenes::scene({.split = Split::test}, static_cast<Index>(i));
      EXPECT_EQ(pictures[i]["caption"], scenes::caption(scene.content, language).text);
      const auto png = bytes_of_base64(pictures[i]["image"].get<std::string>());
      EXPECT_EQ(parse_png(png.value(), "x.png"), scenes::painted(scene));
    }
  }
}

TEST(FamiliarPictures, AreNoneForOthers) {
  ModelInfo info;
  info.target = word_vocabulary(captions("en"), {.min_frequency = 1});
  for (const char* language : {"fr", "de", ""}) {
    info.to = language;
    EXPECT_TRUE(familiar_pictures(info).empty()) << language;
  }
  info.to = "en";
  const std::vector<std::string> photos{"a dog runs on the beach", "a red car to the left of it"};
  info.target = word_vocabulary(photos, {.min_frequency = 1});
  EXPECT_TRUE(familiar_pictures(info).empty());
  info.target = train_subwords(photos, {.size = 280});
  EXPECT_TRUE(familiar_pictures(info).empty());
}

}  // namespace
}  // namespace regard
