// A model folder that something is wrong with: named, refused with 3, nothing allocated.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>

#include "regard/train/checkpoint/run_lock.h"
#include "tests/cli/support/small_model.h"

namespace regard {
namespace {

using nlohmann::json;
using testing::Folder;
using testing::Outcome;
using testing::run_regard;
using testing::write_small_model;

class DamagedModel : public ::testing::Test {
 protected:
  Folder folder_;
  std::string model_ = write_small_model(folder_);
  const json good_ = json::parse(folder_.read("m/config.json"));

  void expect_refused(const std::string& config, const std::string& said) {
    folder_.write("m/config.json", config);
    const Outcome outcome = run_regard({"translate", "-m", model_}, {.input = "a b\n"});
    EXPECT_EQ(outcome.code, 3) << config << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(said), std::string::npos) << said << ": " << outcome.err;
  }
  json with(const char* key, const json& value) const {
    json config = good_;
    config["model"][key] = value;
    return config;
  }
};

TEST_F(DamagedModel, NamesTheKeyOfTheConfig) {  // covers MJ1
  const json nothing = nullptr;
  struct Case {
    const char* key;
    std::vector<json> values;
  };
  for (const Case& c : std::vector<Case>{
           {"heads", {0, -1, 3, 1.5, "2", nothing, 1e9}},
           {"d_model", {0, -16, "16", 1e12}},
           {"source_vocabulary", {0, -1, 2147483648, "x", 12.5}},
           {"target_vocabulary", {0, -1, 2147483648, true}},
           {"encoder_layers", {0, 1000000000, nothing}},
           {"decoder_layers", {0, 1000000000, json::array()}},
           {"max_length", {0, -5}},
           {"dropout", {1.0, -1, "NaN", nothing}},
           {"epsilon", {0, -1}},
           {"architecture", {"rnn", 1}},
           {"tied", {"some"}},
           {"position", {"nowhere", 3}},
           {"attention", {"nothing"}},
           {"d_modell", {16}},
       })
    for (const json& value : c.values) expect_refused(with(c.key, value).dump(), c.key);
  for (const char* text : {"", "{", "[]", "null", "\"x\"", "{\"model\": 3}", "{\"model\": {}} x",
                           R"({"model": {"dropout": NaN}})", R"({"model": {"dropout": 1e999}})"})
    expect_refused(text, "config.json");
  for (const char* key : {"from", "source_tokens", "alignment_layer", "format"}) {
    json config = good_;
    config.erase(key);
    expect_refused(config.dump(), key);
  }
}

TEST_F(DamagedModel, TakesNoMemoryForWhatTheWeightsDoNotHold) {  // covers MJ1
  json huge = good_;
  huge["model"]["d_model"] = 65536;
  huge["model"]["d_hidden"] = 262144;
  huge["model"]["encoder_layers"] = 256;
  expect_refused(huge.dump(), "do not belong together");
  json vocabulary = with("target_vocabulary", 16000000);
  expect_refused(vocabulary.dump(), "target_vocabulary");
  json positions = with("position", "learned");
  positions["model"]["max_length"] = 1 << 20;
  expect_refused(positions.dump(), "do not belong together");
}

void expect_told(const std::vector<std::pair<int, rlim_t>>& limits) {
  const Folder folder;
  const std::string model = write_small_model(folder), tokens = model + "/source.tokens";
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"translate", "-m", model, "-j", "2"},
                                             {"info", model},
                                             {"vocab", "--show", tokens},
                                             {"vocab", "--encode", tokens}})
    for (const auto& limit : limits) {
      const Outcome outcome = run_regard(arguments, {.input = "a b\nc\n", .limits = {limit}});
      // 127: too little for the system to start any program.
      const bool told = outcome.err.find("error") != std::string::npos;
      EXPECT_TRUE(outcome.code == 0 || (told && (outcome.code <= 5 || outcome.code == 127)))
          << arguments[0] << ' ' << limit.first << ' ' << limit.second << ": " << outcome.code
          << outcome.err;
      EXPECT_NE(outcome.code, 1) << outcome.err;
    }
}

TEST(ScarceModel, EndsWithAMessageNotACrash) {  // covers CL7
  if (testing::kUnderSanitizer)
    GTEST_SKIP() << "skipped: a sanitizer's shadow of the memory is larger than any limit";
  std::vector<std::pair<int, rlim_t>> limits;
  for (const rlim_t mebibytes : {24, 32, 48, 64, 96, 160, 256, 512})
    limits.emplace_back(RLIMIT_AS, mebibytes << 20);
  for (const rlim_t kibibytes : {128, 256, 1024})
    limits.emplace_back(RLIMIT_STACK, kibibytes << 10);
  expect_told(limits);
}

TEST(ScarceModel, WithFewOpenFilesSaysSo) {  // covers CL7
  if (testing::kUnderSanitizer)
    GTEST_SKIP() << "skipped: a sanitizer opens a file of its own to look at memory, and takes the "
                    "want of a descriptor for a broken object";
  std::vector<std::pair<int, rlim_t>> limits;
  for (const rlim_t files : {3, 4, 5, 6, 8}) limits.emplace_back(RLIMIT_NOFILE, files);
  expect_told(limits);
}

TEST_F(DamagedModel, SizesAndFilesMustAgree) {  // covers MJ2, MD1
  expect_refused(with("source_vocabulary", 7).dump(), "source_vocabulary");
  for (const char* name : {"../../etc/passwd", "/etc/passwd", "", "..", "a/../b"}) {
    json config = good_;
    config["source_tokens"] = name;
    expect_refused(config.dump(), "vocabulary");
  }
  json missing = good_;
  missing["source_tokens"] = "none.tokens";
  expect_refused(missing.dump(), "none.tokens");
  json head = good_;
  head["alignment_layer"] = 2;
  expect_refused(head.dump(), "layer 2");
  write_small_model(folder_, {.architecture = "bahdanau"});
  json recurrent = json::parse(folder_.read("m/config.json"));
  recurrent["alignment_layer"] = 1;
  expect_refused(recurrent.dump(), "attends in 1 layers with 1 heads");
  write_small_model(folder_);
  // Rows of the weights against a vocabulary that fits its config.
  const auto smaller = word_vocabulary(std::vector<std::string>{"a b c"}, {.min_frequency = 1});
  folder_.write("m/source.tokens", smaller->bytes());
  expect_refused(with("source_vocabulary", smaller->size()).dump(), "encoder.embed");
  folder_.write("m/source.tokens", "<html>");
  expect_refused(good_.dump(), "source.tokens");
}

TEST_F(DamagedModel, ANewerFormatSaysSo) {  // covers MD3
  json newer = good_;
  newer["format"] = 999;
  expect_refused(newer.dump(), "format 999");
  EXPECT_NE(run_regard({"info", model_}).err.find("reads up to 1"), std::string::npos);
}

TEST_F(DamagedModel, WhatIsMissingIsSaidWithTheNextStep) {
  const auto err = [&](const std::string& folder) {
    const Outcome outcome = run_regard({"translate", "-m", folder}, {.input = "a\n"});
    EXPECT_EQ(outcome.code, 3);
    return outcome.err;
  };
  EXPECT_NE(err(folder_.path("absent")).find("regard train"), std::string::npos);
  EXPECT_NE(err(folder_.path("")).find("no model in this folder"), std::string::npos);
  std::filesystem::resize_file(folder_.path("m/model.safetensors"), 1000);
  EXPECT_NE(err(model_).find("model.safetensors"), std::string::npos);
  std::filesystem::remove(folder_.path("m/model.safetensors"));
  EXPECT_NE(err(model_).find("no weights yet"), std::string::npos);
  EXPECT_NE(err(folder_.path("m/config.json")).find("name the folder that holds"),
            std::string::npos);
  const std::string other = folder_.path("other");
  std::filesystem::create_directory(other);
  std::ofstream(other + "/config.json") << R"({"model_type": "marian"})";
  EXPECT_NE(err(other).find("not the config of a model"), std::string::npos);
  const Outcome json = run_regard({"translate", "-m", "none", "--json"}, {.input = "a\n"});
  EXPECT_EQ(json.json()["error"]["code"], 3);
}

TEST_F(DamagedModel, ARunThatHasSavedNoModelYetIsToBeWaitedFor) {
  std::filesystem::remove(folder_.path("m/model.safetensors"));
  folder_.write("m/state.json", R"({"schema":1,"state":"running"})");
  const auto err = [&] {
    const Outcome outcome = run_regard({"serve", model_, "--port", "0"});
    EXPECT_EQ(outcome.code, 3);
    return outcome.err;
  };
  EXPECT_NE(err().find("no weights yet"), std::string::npos) << "nobody trains";
  const RunLock lock(model_);
  EXPECT_NE(err().find("wait for its first validation"), std::string::npos);
  std::filesystem::remove(folder_.path("m/config.json"));
  EXPECT_NE(err().find("wait for its first validation"), std::string::npos);
}

TEST_F(DamagedModel, WeightsThatAreNotFinite) {  // covers MS16
  const std::string model = write_small_model(folder_, {.not_finite = true}, "nan");
  for (const char* beam : {"1", "4"}) {
    const Outcome loose =
        run_regard({"translate", "-m", model, "--beam", beam}, {.input = "a b\n"});
    EXPECT_EQ(loose.code, 3) << loose.err;  // the model says NaN, and the search ends
    EXPECT_NE(loose.err.find("warning"), std::string::npos) << loose.err;
    EXPECT_NE(loose.err.find("output"), std::string::npos) << loose.err;
  }
  const Outcome strict = run_regard({"translate", "-m", model, "--strict"}, {.input = "a b\n"});
  EXPECT_EQ(strict.code, 3);
  EXPECT_EQ(strict.err.find("warning"), std::string::npos) << strict.err;
  EXPECT_NE(strict.err.find("output"), std::string::npos) << strict.err;
  EXPECT_EQ(run_regard({"info", model, "-q"}).code, 0);
  EXPECT_EQ(run_regard({"info", model, "--strict"}).code, 3);
}

}  // namespace
}  // namespace regard
