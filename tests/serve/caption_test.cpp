// Pictures over HTTP: what is said of them, where the model looked, and what is refused.
#include <thread>

#include "regard/base/base64.h"
#include "regard/decode/search.h"
#include "regard/image/fit.h"
#include "regard/image/png_writer.h"
#include "regard/image/scenes/corpus.h"
#include "regard/image/scenes/paint.h"
#include "regard/image/source.h"
#include "regard/trace/caption_json.h"
#include "regard/trace/picture_looks.h"
#include "tests/image/raw_png.h"
#include "tests/serve/serve_testing.h"
#include "tests/support/warnings.h"

namespace regard {
namespace {

using testing::ask;
using testing::Asked;
using testing::body_of;
using testing::get;
using testing::Json;
using testing::post;
using testing::post_json;

constexpr std::uint64_t kSeed = 3;  // of a model that says something
constexpr const char* kPath = "/v1/caption";

Image picture(Index i) {
  return scenes::painted(scenes::scene({}, i));
}

std::string bytes_of(const Image& image) {
  return png_bytes(image.width, image.height, image.pixels);
}

/// A body that is the picture itself.
HttpRequest post_png(const std::string& png, const std::string& query = "") {
  HttpRequest request = post(kPath, "image/png", png);
  request.query = query;
  return request;
}

class Caption : public testing::ServeTest {
 protected:
  Caption() {
    models_ = {testing::write_small_model(folder(), {.architecture = "caption", .seed = kSeed})};
  }

  Json captioned(const HttpRequest& request) {
    const HttpResponse response = ask(service(), request);
    EXPECT_EQ(response.status, 200) << response.body;
    return body_of(response);
  }
  std::pair<int, std::string> refusal(const HttpRequest& request) {
    const HttpResponse response = ask(service(), request);
    return {response.status, body_of(response).value("error", "")};
  }
  void add_translator() { models_.push_back(testing::write_small_model(folder(), {}, "t")); }
};

TEST_F(Caption, IsWhatTheSearchFindsAndWhereTheModelLooked) {
  const LoadedModel model = load_model(models().front());
  std::size_t words = 0;
  for (Index i = 0; i < 8; ++i) {
    const Image square = fit_to_square(picture(i), model.info.spec.image_size);
    const Index beam = 1 + i;
    const std::vector<std::vector<std::int32_t>> sources{
        source_of(square, grid_of(model.info.spec))};
    const auto best =
        regard::translate(*model.model, sources, {.beam = beam, .length_penalty = 0.5});
    Json expected = caption_json(model, square, best.front());
    expected.update({{"schema", 1}, {"model", "m"}});
    const std::string query = "length_penalty=0.5&beam=" + std::to_string(beam);
    EXPECT_EQ(captioned(post_png(bytes_of(picture(i)), query)), expected);
    words += expected["words"].size();
    for (const Json& word : expected["words"]) {
      EXPECT_EQ(word["weights"].size(), 64u);
      double sum = 0;
      for (const double weight : word["weights"]) sum += weight;
      EXPECT_NEAR(sum, 1, 1e-5);
    }
  }
  EXPECT_GT(words, 8u);  // nobody trained it, but it talks
}

TEST_F(Caption, IsTheSameInAnyCompanyAndHoweverItCame) {
  std::vector<Json> alone;
  for (Index i = 0; i < 6; ++i)
    alone.push_back(captioned(post_png(bytes_of(picture(i)), "beam=" + std::to_string(1 + i % 3))));
  EXPECT_NE(alone[0], alone[3]);
  std::vector<std::unique_ptr<Asked>> together;
  for (Index i = 0; i < 6; ++i)
    together.push_back(std::make_unique<Asked>(
        service(),
        post_json(kPath,
                  {{"image", base64(bytes_of(picture(i)))}, {"model", "m"}, {"beam", 1 + i % 3}})));
  for (std::size_t i = 0; i < alone.size(); ++i)
    EXPECT_EQ(body_of(together[i]->get()), alone[i]) << i;
}

TEST_F(Caption, TakesPicturesOfAnyShape) {
  for (const auto& [width, height] : {std::pair<Index, Index>{1, 1}, {300, 20}, {7, 90}}) {
    Image image{.width = width, .height = height};
    image.pixels.resize(static_cast<std::size_t>(width * height * 3), 200);
    EXPECT_EQ(captioned(post_png(bytes_of(image)))["patches_across"], 8);
  }
}

TEST_F(Caption, RefusesWhatIsNoPictureAndSaysWhy) {
  const std::string good = bytes_of(picture(0));
  std::string flipped = good;
  flipped[flipped.size() / 2] ^= 1;
  testing::RawPng deep{.depth = 16, .samples = {1, 2, 3}};
  const testing::RawPng wide{.width = 5000, .height = 5000};
  const std::string huge = testing::kPngStart + testing::chunk("IHDR", wide.header()) +
                           testing::chunk("IDAT", std::string(100000, 0)) +
                           testing::chunk("IEND", "");
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "missing image parameter"},
      {flipped, "image: damaged: the checksum of its chunk"},
      {good.substr(0, good.size() / 2), "image: truncated"},
      {deep.bytes(), "image: 16-bit PNG; convert it to 8 bits"},
      {"\xFF\xD8\xFF\xE0..", "image: not a PNG, but begins like a JPEG"},
      {huge, "image: 5000 x 5000 pixels, expected at most 16777216"}};
  for (const auto& [png, said] : cases) {
    const auto in_json = refusal(post_json(kPath, {{"image", base64(png)}}));
    EXPECT_EQ(in_json.first, 400);
    EXPECT_EQ(in_json.second.find("Invalid request: " + said), 0u) << in_json.second;
    if (!png.empty()) {
      EXPECT_EQ(refusal(post_png(png)), in_json);
    }
  }
  EXPECT_EQ(refusal(post_png("")),
            std::pair(400, std::string("Invalid request: image: an empty file, expected a PNG")));
  for (const char* text : {"a", "====", "Zg", "Zg==\n", "Zh==", "data:image/png;base64,Zg=="})
    EXPECT_EQ(refusal(post_json(kPath, {{"image", text}})),
              std::pair(400, std::string("Invalid request: image parameter is not base64")));
  EXPECT_EQ(refusal(post(kPath, "image/jpeg", good)).first, 415);
  EXPECT_EQ(refusal(post(kPath, "text/plain", good)).first, 415);
  EXPECT_EQ(refusal(post_png(good, "beam=33")).second,
            "Invalid request: beam parameter (33) times patches of a picture (64) exceeds limit "
            "(2048)");
  EXPECT_EQ(refusal(post_png(good, "length_penalty=11")).first, 400);
  EXPECT_EQ(refusal(get(kPath)).first, 405);
}

TEST_F(Caption, IsOfPicturesAndTranslationOfTexts) {
  const Json text{{"q", "a"}, {"source", "en"}, {"target", "fr"}};
  const std::string none = "no model that reads text is loaded";
  for (const char* path : {"/translate", "/detect", "/v1/translate", "/v1/inspect", "/v1/tokenize",
                           "/v1/alternatives"})
    EXPECT_EQ(refusal(post_json(path, text)).second.find(none), 0u) << path;
  EXPECT_EQ(body_of(ask(service(), get("/languages"))), Json::array());
  EXPECT_EQ(refusal(get("/v1/heads")).first, 400);
  EXPECT_EQ(body_of(ask(service(), get("/v1/weights", "parameter=decoder.embed.table")))["rows"],
            15);
}

TEST_F(Caption, IsNotWhatASettingsTargetIsOf) {
  EXPECT_EQ(body_of(ask(service(), get("/frontend/settings")))["language"]["target"]["code"], "");
}

TEST_F(Caption, IsServedBesideTranslation) {
  add_translator();
  const Json text{{"q", "a b"}, {"source", "en"}, {"target", "fr"}};
  EXPECT_EQ(ask(service(), post_json("/translate", text)).status, 200);
  EXPECT_EQ(ask(service(), post_json("/v1/inspect", {{"q", "a b"}})).status, 200);
  const std::string png = bytes_of(picture(0));
  EXPECT_EQ(captioned(post_png(png))["model"], "m");
  EXPECT_EQ(refusal(post_png(png, "model=t")).second,
            "Invalid request: model t reads text, not pictures; use POST /v1/translate");
  EXPECT_EQ(refusal(post_json("/v1/inspect", {{"q", "a"}, {"model", "m"}})).second,
            "Invalid request: model m reads pictures, not text; use POST /v1/caption");
  EXPECT_EQ(refusal(post_png(png, "model=x")).second,
            "Invalid request: model parameter is not the name of a model");
  const Json models = body_of(ask(service(), get("/v1/model")))["models"];
  EXPECT_EQ(body_of(ask(service(), get("/frontend/settings")))["language"]["target"]["code"], "fr");
  EXPECT_EQ(models[0]["reads"], "image");
  EXPECT_EQ(models[0]["examples"], Json::array());
  EXPECT_EQ(models[0]["pictures"], Json::array());  // it does not know their words
  EXPECT_EQ(models[1]["reads"], "text");
  EXPECT_FALSE(models[1].contains("pictures"));
}

TEST_F(Caption, NeedsAModelOfPictures) {
  models_ = {testing::write_small_model(folder(), {}, "t")};
  EXPECT_EQ(refusal(post_png(bytes_of(picture(0)))).second.find("no model that reads pictures"),
            0u);
}

TEST_F(Caption, NeedsTheKeyInTheHeaderAndCounts) {
  spec.key_file = folder().write("keys", "the only one\n");
  spec.per_minute = 3;
  const std::string png = bytes_of(picture(0));
  HttpRequest keyed = post_png(png);
  keyed.headers.emplace_back("Authorization", "Bearer the only one");
  EXPECT_EQ(refusal(post_png(png)).first, 400);
  EXPECT_EQ(refusal(post_png(png, "api_key=the+only+one")).first, 400);  // addresses are logged
  const Json fields{{"image", base64(png)}, {"api_key", "the only one"}};
  EXPECT_EQ(captioned(keyed), captioned(post_json(kPath, fields)));
  EXPECT_EQ(ask(service(), keyed).status, 200);
  EXPECT_EQ(ask(service(), keyed).status, 429);
}

TEST_F(Caption, StopsWhenNobodyWaits) {
  Asked gone(service(), post_png(bytes_of(picture(0)), "beam=32"));
  gone.cancel->cancel();
  captioned(post_png(bytes_of(picture(1))));
  const Engine& engine = service().models()->front()->engine();
  for (int i = 0; i < 5000 && engine.in_flight() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(engine.in_flight() + engine.queued(), 0u);
  EXPECT_FALSE(gone.ready());
}

TEST_F(Caption, SurvivesAReload) {
  const Json before = captioned(post_png(bytes_of(picture(0))));
  testing::write_small_model(folder(), {.architecture = "caption", .seed = kSeed + 1});
  {
    const testing::Warnings warnings;
    service().reload();
    EXPECT_EQ(warnings.text(), "");
  }
  const Json after = captioned(post_png(bytes_of(picture(0))));
  EXPECT_NE(after, before);
  testing::write_small_model(folder(), {.architecture = "caption", .overflows = true});
  const testing::Warnings warnings;
  service().reload();
  EXPECT_EQ(warnings.lines.size(), 1u) << warnings.text();
  EXPECT_EQ(captioned(post_png(bytes_of(picture(0)))), after);
}

}  // namespace
}  // namespace regard
