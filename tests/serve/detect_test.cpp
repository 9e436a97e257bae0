#include "regard/serve/text/detect.h"

#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

const Detector& three() {
  static const Detector detector({{"en", {}}, {"fr", {}}, {"de", {}}});
  return detector;
}

TEST(Detector, TellsOrdinarySentencesApart) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"en", "The weather was cold this morning, so we stayed at home."},
      {"fr", "Il faisait froid ce matin, alors nous sommes restés à la maison."},
      {"de", "Heute Morgen war es kalt, also sind wir zu Hause geblieben."},
      {"en", "A man in an orange hat starring at something."},
      {"de", "Ein Mann mit einem orangefarbenen Hut, der etwas anstarrt."},
      {"fr", "Un homme avec un chapeau orange regardant quelque chose."},
      {"en", "where is the station"},
      {"fr", "où est la gare"},
      {"de", "wo ist der Bahnhof"}};
  for (const auto& [language, text] : cases) {
    const std::vector<Detection> found = three().detect(text);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].language, language) << text;
    EXPECT_GT(found[0].confidence, 50) << text;
    double sum = 0;
    for (const Detection& each : found) sum += each.confidence;
    EXPECT_LE(sum, 100.2);
  }
}

TEST(Detector, IsNotSureOfWhatItDoesNotKnow) {
  for (const std::string text : {"Это совсем другой язык", "这是一句中文", "zzxq kkwv qqj"})
    EXPECT_LT(three().detect(text)[0].confidence, 20) << text;
  for (const std::string text : {"", "123 !?", "\xFF\xFE", "\xF0\x9F\x98\x80"})
    EXPECT_EQ(three().detect(text)[0].confidence, 0) << text;
}

TEST(Detector, LearnsALanguageFromItsWords) {
  const Detector detector({{"xx", {"kala", "puu", "talo", "koira", "kissa"}}, {"en", {}}});
  EXPECT_EQ(detector.detect("kissa talo puu")[0].language, "xx");
}

}  // namespace
}  // namespace regard
