// Models that change while they are used, and several at a time.
#include <thread>

#include "regard/base/log.h"
#include "tests/serve/serve_testing.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::Json;

class Reload : public testing::ServeTest {
 protected:
  std::string said(const std::string& text) {
    const HttpResponse response = translate({{"q", text}, {"source", "en"}, {"target", "fr"}});
    EXPECT_EQ(response.status, 200) << response.body;
    return body_of(response).value("translatedText", "");
  }
};

// covers SV18
TEST_F(Reload, ChangesTheModelWithoutAFailedRequest) {
  const std::string before = said("a b c d e f g");
  std::atomic<bool> over{false};
  std::atomic<int> failed{0}, answered{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i)
    clients.emplace_back([&] {
      while (!over) {
        failed += translate({{"q", "a b c"}, {"source", "en"}, {"target", "fr"}}).status != 200;
        ++answered;
      }
    });
  for (int i = 0; i < 5; ++i) {
    testing::write_small_model(folder(), {.seed = static_cast<std::uint64_t>(i + 2)});
    service().reload();
  }
  over = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(failed, 0);
  EXPECT_GT(answered, 3);
  EXPECT_NE(said("a b c d e f g"), before);
}

// covers SV18
TEST_F(Reload, KeepsTheOldModelWhereTheNewOneIsBroken) {
  const std::string before = said("a b c d e f g");
  const std::string weights = folder().read("m/model.safetensors");
  std::vector<std::string> warnings;
  set_warning_sink([&](std::string_view line) { warnings.emplace_back(line); });
  for (const std::string& broken : {weights.substr(0, weights.size() / 2), std::string("x")}) {
    folder().write("m/model.safetensors", broken);
    service().reload();
    EXPECT_EQ(said("a b c d e f g"), before);
  }
  set_warning_sink({});
  EXPECT_EQ(warnings.size(), 2u);
}

TEST_F(Reload, ServesSeveralPairs) {
  models_ = {testing::write_small_model(folder(), {}, "one"),
             testing::write_small_model(folder(), {.architecture = "bahdanau", .seed = 4}, "two")};
  ModelCard card = load_card(models_[1]);
  card.from = "de";
  card.to = "en";
  save_card(models_[1], card);
  const Json languages = body_of(ask(service(), testing::get("/languages")));
  EXPECT_EQ(languages.size(), 3u);
  EXPECT_EQ(languages[0], (Json{{"code", "de"}, {"name", "German"}, {"targets", {"de", "en"}}}));
  EXPECT_EQ(translate({{"q", "a b"}, {"source", "de-DE"}, {"target", "EN"}}).status, 200);
  EXPECT_EQ(translate({{"q", "a b"}, {"source", "de"}, {"target", "fr"}}).status, 400);
  const Json mixed = body_of(translate(
      {{"q", {"the house is big and the dog is small", "das Haus ist groß und der Hund ist klein"}},
       {"source", "auto"},
       {"target", "en"}}));
  ASSERT_EQ(mixed.at("detectedLanguage").size(), 2u) << mixed;
  EXPECT_EQ(mixed["detectedLanguage"][0]["language"], "en");
  EXPECT_EQ(mixed["detectedLanguage"][1]["language"], "de");
  EXPECT_EQ(mixed["translatedText"][0], "the house is big and the dog is small");
}

// covers SV17, SV8
TEST_F(Reload, DropsARequestWhoseClientLeft) {
  spec.chars = 100000;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "a b c d e f g h\n";
  testing::Asked asked(
      service(),
      testing::post_json("/translate", {{"q", text}, {"source", "en"}, {"target", "fr"}}));
  asked.waiting->end();
  const auto start = std::chrono::steady_clock::now();
  said("a b");
  const Engine& engine = service().models()->front()->engine();
  while (engine.at_work() + engine.waiting() > 0 &&
         std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(engine.at_work() + engine.waiting(), 0u);
  EXPECT_FALSE(asked.ready());
}

// covers SV21
TEST_F(Reload, TellsNothingOfWhatWentWrongInside) {
  models_ = {testing::write_small_model(folder(), {.not_finite = true})};
  std::vector<std::string> warnings;
  set_warning_sink([&](std::string_view line) { warnings.emplace_back(line); });
  const HttpResponse response = translate({{"q", "a"}, {"source", "en"}, {"target", "fr"}});
  EXPECT_EQ(response.status, 500);
  const std::string text = body_of(response).at("error");
  EXPECT_TRUE(text.starts_with("Cannot translate text: internal error ")) << text;
  EXPECT_EQ(text.find(folder().path()), text.npos);
  EXPECT_EQ(ask(service(), testing::get("/health")).status, 200);
  set_warning_sink({});
}

}  // namespace
}  // namespace regard
