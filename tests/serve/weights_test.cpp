// Pictures of weights: of the model that is loaded, counted, and no more of them kept than fit.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "regard/base/base64.h"
#include "regard/model/run_folder.h"
#include "tests/serve/serve_testing.h"
#include "tests/support/warnings.h"

namespace regard {
namespace {

using testing::ask;
using testing::body_of;
using testing::get;
using testing::Json;

constexpr const char* kTable = "parameter=decoder.embed.table&size=4";

class Weights : public testing::ServeTest {
 protected:
  Json picture(const std::string& query = kTable) {
    const HttpResponse response = ask(service(), get("/v1/weights", query));
    EXPECT_EQ(response.status, 200) << response.body;
    return body_of(response);
  }
};

TEST_F(Weights, AreThoseThatAreLoaded) {
  const Json before = picture("parameter=decoder.embed.table&size=3");
  const Json other = picture();
  const std::string path = RunFolder(models().front()).weights();
  // Another file takes the name: the model at work has the old weights, pooled already or not.
  const LoadedModel model = load_model(models().front());
  model.model->each([&](const std::string&, Var& parameter) {
    Tensor value = parameter.value();
    for (float& x : value.span<float>()) x = -x;
  });
  save_weights(path, parameters_of(*model.model));
  EXPECT_EQ(picture("parameter=decoder.embed.table&size=3"), before);
  const Json late = picture("parameter=decoder.embed.table&size=5");
  service().reload();
  EXPECT_NE(picture()["data"], other["data"]);
  EXPECT_NE(picture("parameter=decoder.embed.table&size=5")["data"], late["data"]);
  EXPECT_EQ(picture()["scale"], other["scale"]);
}

TEST_F(Weights, CountTowardsTheRequestsOfAMinute) {
  spec.per_minute = 3;
  for (int i = 0; i < 3; ++i) picture();
  const HttpResponse slower = ask(service(), get("/v1/weights", kTable));
  EXPECT_EQ(slower.status, 429);
  EXPECT_FALSE(testing::header_of(slower, "Retry-After").empty());
  EXPECT_EQ(ask(service(), get("/v1/runs")).status, 200);  // who looks again and again
}

TEST_F(Weights, ThatAreCutShortLaterFailWithoutTellingWhere) {  // covers MS18
  const Json before = picture();
  const std::string weights = folder().read("m/model.safetensors");
  std::filesystem::resize_file(RunFolder(models().front()).weights(), weights.size() / 2);
  const testing::Warnings warnings;
  std::size_t failed = 0;
  const Json model = body_of(ask(service(), get("/v1/model")))["models"][0];
  for (const Json& each : model["weights"]) {
    const HttpResponse response =
        ask(service(), get("/v1/weights", "size=7&parameter=" + each["name"].get<std::string>()));
    if (response.status == 200) continue;
    EXPECT_EQ(response.status, 500);
    EXPECT_EQ(response.body.find("safetensors"), std::string::npos) << response.body;
    ++failed;
  }
  EXPECT_GT(failed, 0u);
  EXPECT_EQ(warnings.lines.size(), failed);
  EXPECT_EQ(picture(), before);
}

TEST(WeightPictures, HaveAScaleEvenIfNotAllIsFinite) {
  const testing::Folder folder;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::string path = folder.path("weights.safetensors");
  write_safetensors(path, {{"w", Tensor::of({5}, {kInfinity, -kInfinity, NAN, 2, -1})}});
  const Json picture = Json::parse(WeightPictures(SafetensorsFile(path)).picture("w", 8));
  EXPECT_NEAR(picture["scale"].get<double>(), 2 / 127.0, 1e-9);
  EXPECT_EQ(picture["data"], base64({"\x7f\x81\0\x7f\xc0", 5}));
}

TEST(WeightPictures, AreKeptUpToALimit) {
  const testing::Folder folder;
  const std::string path = folder.path("weights.safetensors");
  write_safetensors(path, {{"w", Tensor({1, 4000}, Dtype::f32)}});
  WeightPictures pictures{SafetensorsFile(path)};
  const std::string first = pictures.picture("w", 1);
  const std::size_t one = pictures.held_bytes();
  EXPECT_GT(one, first.size());
  EXPECT_EQ(pictures.picture("w", 1), first);
  EXPECT_EQ(pictures.held_bytes(), one);  // not a second time
  std::size_t most = 0;
  for (Index size = 2500; size < 4000; ++size) {
    pictures.picture("w", size);
    most = std::max(most, pictures.held_bytes());
  }
  EXPECT_LE(most, WeightPictures::kMaxBytes);
  EXPECT_GT(most, WeightPictures::kMaxBytes / 2);
  EXPECT_EQ(pictures.picture("w", 1), first);
}

}  // namespace
}  // namespace regard
