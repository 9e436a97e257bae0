// Models that change while they are used, and several at a time.
#include <thread>

#include "tests/serve/serve_testing.h"
#include "tests/support/warnings.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::Json;
using testing::SmallModel;

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
TEST_F(Reload, ChangesTheModelUnderWhoeverLooksAtIt) {
  service();
  std::string lines;
  for (int i = 0; i < 100000; ++i) lines += "{\"type\":\"train\",\"step\":1}\n";
  folder().write("m/metrics.jsonl", lines);
  std::atomic<bool> over{false};
  std::atomic<int> wrong{0};
  const Json expected = Json::parse(
      R"([{"id":"m","state":"unknown","finished":false,"total_steps":null,"lines":100000}])");
  std::vector<std::thread> clients;
  clients.emplace_back([&] {
    while (!over) wrong += body_of(ask(service(), testing::get("/v1/runs"))).at("runs") != expected;
  });
  clients.emplace_back([&] {
    while (!over)
      wrong += body_of(ask(service(), testing::get("/v1/model"))).at("models")[0]["name"] != "m";
  });
  const auto picture = [&] {
    return body_of(
        ask(service(), testing::get("/v1/weights", "parameter=decoder.embed.table&size=4")));
  };
  const Json drawn = picture();
  clients.emplace_back([&] {
    while (!over) wrong += picture() != drawn;
  });
  for (int i = 0; i < 20; ++i) service().reload();
  over = true;
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(wrong, 0);
}

// covers SV18
TEST_F(Reload, KeepsTheOldModelWhereTheNewOneIsBroken) {
  const std::string before = said("a b c d e f g");
  const std::string weights = folder().read("m/model.safetensors");
  const testing::Warnings warnings;
  for (const std::string& broken : {weights.substr(0, weights.size() / 2), std::string("x")}) {
    folder().write("m/model.safetensors", broken);
    service().reload();
    EXPECT_EQ(said("a b c d e f g"), before);
  }
  EXPECT_EQ(warnings.lines.size(), 2u);
}

// covers SV18
TEST_F(Reload, KeepsTheOldModelWhereTheNewOneGivesNoFiniteNumbers) {
  const std::string before = said("a b c d e f g");
  const testing::Warnings warnings;
  testing::write_small_model(folder(), {.seed = 2, .not_finite = true});
  service().reload();
  EXPECT_EQ(said("a b c d e f g"), before);
  ASSERT_EQ(warnings.lines.size(), 1u);
  EXPECT_NE(warnings.lines[0].find("holds NaN or infinity"), std::string::npos) << warnings.text();
  testing::write_small_model(folder(), {.seed = 2, .overflows = true});  // each number is finite
  service().reload();
  EXPECT_EQ(said("a b c d e f g"), before);
  EXPECT_EQ(warnings.lines.size(), 2u) << warnings.text();
  testing::write_small_model(folder(), {.seed = 2});
  service().reload();
  EXPECT_NE(said("a b c d e f g"), before);
  EXPECT_EQ(warnings.lines.size(), 2u) << warnings.text();
}

// covers SV18: a folder of which some files are new, or cut short
TEST_F(Reload, KeepsTheOldModelWhileTheNewOneIsCopied) {
  const std::string weights(kWeightsFile), config(kConfigFile);
  std::vector<std::string> files{config, weights};
  std::string before = said("a b c d e f g");
  const testing::Warnings warnings;
  for (const SmallModel& next : {SmallModel{.architecture = "bahdanau", .seed = 4},
                                 SmallModel{.architecture = "transformer", .seed = 5}}) {
    testing::write_small_model(folder(), next, "new");
    for (const std::string& name : files) {
      const std::string whole = folder().read("new/" + name);
      for (const std::size_t size : {std::size_t{0}, whole.size() / 2, whole.size() - 3}) {
        folder().write("m/" + name, whole.substr(0, size));
        service().reload();
        EXPECT_EQ(said("a b c d e f g"), before) << name << " " << size;
      }
      folder().write("m/" + name, whole);
      service().reload();
      EXPECT_EQ(said("a b c d e f g") == before, name == files[0]) << name;
    }
    before = said("a b c d e f g");
    std::swap(files[0], files[1]);
  }
  EXPECT_EQ(warnings.lines.size(), 2u * (3 + 1 + 3)) << warnings.text();
}

TEST_F(Reload, CallsAModelByTheNameOfItsFolder) {
  const std::filesystem::path here = std::filesystem::current_path();
  std::filesystem::create_directories(testing::write_small_model(folder(), {}, "run 1") + "/best");
  std::filesystem::create_directory_symlink("run 1", folder().path("current"));
  folder().write("run 1/metrics.jsonl", "{\"step\":1}\n");
  const auto name_of = [&](const std::string& within, const std::string& given) {
    std::filesystem::current_path(folder().path(within));
    Service served({}, {given});
    const Json runs = body_of(ask(served, testing::get("/v1/runs"))).at("runs");
    const std::string name = runs.at(0).at("id");
    EXPECT_EQ(ask(served, testing::get("/v1/runs/" + name + "/metrics")).status, 200) << given;
    std::filesystem::current_path(here);
    return name;
  };
  for (const char* given : {".", "./", "./.", "../run 1/", "..//run 1", "best/.."})
    EXPECT_EQ(name_of("run 1", given), "run 1") << given;
  EXPECT_EQ(name_of("run 1/best", ".."), "run 1");
  EXPECT_EQ(name_of("", "current/"), "current");
}

TEST_F(Reload, ServesSeveralPairs) {
  models_ = {testing::write_small_model(folder(), {}, "one"),
             testing::write_small_model(folder(), {.architecture = "bahdanau", .seed = 4}, "two")};
  ModelInfo info = load_info(models_[1]);
  info.from = "de";
  info.to = "en";
  save_info(models_[1], info);
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

TEST_F(Reload, AsksForALanguageOnlyWhereModelsDifferInIt) {
  models_ = {testing::write_small_model(folder(), {}, "one"),
             testing::write_small_model(folder(), {.seed = 4}, "two"),
             testing::write_small_model(folder(), {.seed = 5}, "three")};
  ModelInfo info = load_info(models_[2]);
  info.from = "de";
  info.to = "EN";
  save_info(models_[2], info);
  const auto answer = [&](Json fields) {
    fields["q"] = "a b c";
    const HttpResponse response = ask(service(), testing::post_json("/v1/inspect", fields));
    const Json body = body_of(response);
    return response.status == 200 ? body.at("model").at("name").get<std::string>()
                                  : body.at("error").get<std::string>();
  };
  EXPECT_EQ(answer({{"target", "fr"}}), "one");
  EXPECT_EQ(answer({{"source", "EN"}}), "one");
  EXPECT_EQ(answer({{"source", "Auto"}, {"target", "en"}}), "three");
  EXPECT_EQ(answer({{"model", "two"}}), "two");
  EXPECT_EQ(answer({{"model", "two"}, {"source", "en"}, {"target", "fr"}}), "two");
  EXPECT_EQ(answer(Json::object()), "Invalid request: missing target parameter");
  EXPECT_EQ(answer({{"source", "zz"}}), "zz is not supported");
  EXPECT_EQ(answer({{"source", "fr"}}), "French (fr) is not available as a source language");
  EXPECT_EQ(answer({{"model", "two"}, {"source", "de"}, {"target", "en"}}),
            "English (en) is not available as a target language from German (de)");
  EXPECT_EQ(answer({{"model", "x"}}),
            "Invalid request: model parameter is not the name of a model");
  info.to = "fr";
  save_info(models_[2], info);
  service().reload();
  EXPECT_EQ(answer({{"target", "fr"}}), "Invalid request: missing source parameter");
}

// covers SV17, SV8
TEST_F(Reload, DropsARequestWhoseClientLeft) {
  spec.chars = 100000;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "a b c d e f g h\n";
  testing::Asked asked(
      service(),
      testing::post_json("/translate", {{"q", text}, {"source", "en"}, {"target", "fr"}}));
  const ServedModelPtr model = service().models()->front();
  const Engine& engine = model->engine();
  const auto start = std::chrono::steady_clock::now();
  const auto soon = [&](const std::function<bool()>& holds) {
    while (!holds() && std::chrono::steady_clock::now() - start < std::chrono::seconds(20))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return holds();
  };
  ASSERT_TRUE(soon([&] { return engine.in_flight() > 0; }));
  EXPECT_FALSE(asked.ready());
  asked.cancel->cancel();
  said("a b");
  EXPECT_TRUE(soon([&] { return engine.in_flight() + engine.queued() == 0; }));
  EXPECT_FALSE(asked.ready());
}

// covers SV21
TEST_F(Reload, TellsNothingOfWhatWentWrongInside) {
  models_ = {testing::write_small_model(folder(), {.not_finite = true})};
  const testing::Warnings warnings;
  const HttpResponse response = translate({{"q", "a"}, {"source", "en"}, {"target", "fr"}});
  EXPECT_EQ(response.status, 500);
  const std::string text = body_of(response).at("error");
  EXPECT_TRUE(text.starts_with("Cannot translate text: internal error ")) << text;
  EXPECT_EQ(text.find(folder().path()), text.npos);
  EXPECT_EQ(ask(service(), testing::get("/health")).status, 200);
}

}  // namespace
}  // namespace regard
